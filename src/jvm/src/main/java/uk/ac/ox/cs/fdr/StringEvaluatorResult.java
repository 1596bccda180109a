package uk.ac.ox.cs.fdr;

import java.util.List;

/** An evaluation whose result is a text. */
public class StringEvaluatorResult extends EvaluatorResult {
    private final String result;

    StringEvaluatorResult(String result, List<String> warnings) {
        super(warnings);
        this.result = result;
    }

    /** The result. */
    public String result() {
        return result;
    }
}
