package uk.ac.ox.cs.fdr;

/** A counterexample of two behaviours: what was done, and what was expected. */
public abstract class RefinementCounterexample extends Counterexample {
    RefinementCounterexample(Division division) {
        super(division);
    }

    /** The behaviour of the implementation. Of nondeterminism, the run that refuses an event. */
    public Behaviour implementationBehaviour() {
        return division().implementation();
    }

    /**
     * What the specification does up to there. Of nondeterminism, the run that does what the other
     * one refuses.
     */
    public Behaviour specificationBehaviour() {
        return division().specification();
    }
}
