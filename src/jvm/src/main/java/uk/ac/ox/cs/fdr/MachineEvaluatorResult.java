package uk.ac.ox.cs.fdr;

import java.util.List;

/** An evaluation whose result is a machine. */
public class MachineEvaluatorResult extends EvaluatorResult {
    private final Machine result;

    MachineEvaluatorResult(Machine result, List<String> warnings) {
        super(warnings);
        this.result = result;
    }

    /** The result. */
    public Machine result() {
        return result;
    }
}
