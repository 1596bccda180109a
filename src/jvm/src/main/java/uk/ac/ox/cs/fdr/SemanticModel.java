package uk.ac.ox.cs.fdr;

/** A model in which processes are compared. */
public enum SemanticModel {
    /** That of the assertion. */
    Default,
    /** {@code [T=}. */
    Traces,
    /** {@code [F=}. */
    Failures,
    /** {@code [FD=}. */
    FailuresDivergences,
    /** {@code [R=}. */
    Refusals,
    /** {@code [RD=}. */
    RefusalsDivergences,
    /** {@code [V=}. */
    Revivals,
    /** {@code [VD=}. */
    RevivalsDivergences;

    /** The number of the model. */
    public final int swigValue() {
        return ordinal();
    }

    /** The model with this short name, such as {@code FD}. */
    static SemanticModel of(String name) {
        switch (name) {
            case "T":
                return Traces;
            case "F":
                return Failures;
            case "FD":
                return FailuresDivergences;
            case "R":
                return Refusals;
            case "RD":
                return RefusalsDivergences;
            case "V":
                return Revivals;
            case "VD":
                return RevivalsDivergences;
            default:
                return Default;
        }
    }
}
