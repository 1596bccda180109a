package uk.ac.ox.cs.fdr;

import java.util.List;

/** An evaluation whose result is an assertion. */
public class AssertionEvaluatorResult extends EvaluatorResult {
    private final Assertion result;

    AssertionEvaluatorResult(Assertion result, List<String> warnings) {
        super(warnings);
        this.result = result;
    }

    /** The result. */
    public Assertion result() {
        return result;
    }
}
