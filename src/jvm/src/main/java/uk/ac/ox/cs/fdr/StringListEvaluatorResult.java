package uk.ac.ox.cs.fdr;

import java.util.List;

/** An evaluation whose result is a list of texts. */
public class StringListEvaluatorResult extends EvaluatorResult {
    private final StringList result;

    StringListEvaluatorResult(StringList result, List<String> warnings) {
        super(warnings);
        this.result = result;
    }

    /** The result. */
    public StringList result() {
        return result;
    }
}
