package uk.ac.ox.cs.fdr;

import java.util.List;

/** An evaluation whose result is the number of an event. */
public class CompiledEventEvaluatorResult extends EvaluatorResult {
    private final long result;

    CompiledEventEvaluatorResult(long result, List<String> warnings) {
        super(warnings);
        this.result = result;
    }

    /** The result. */
    public long result() {
        return result;
    }
}
