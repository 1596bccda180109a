package uk.ac.ox.cs.fdr;

import java.util.List;

/** What an evaluation has come to besides its result. */
public abstract class EvaluatorResult {
    private final StringList warnings;

    EvaluatorResult(List<String> warnings) {
        this.warnings = new StringList(warnings);
    }

    /** The warnings. */
    public StringList warnings() {
        return warnings;
    }
}
