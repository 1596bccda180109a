package uk.ac.ox.cs.fdr;

/** A counterexample of one behaviour. */
public abstract class PropertyCounterexample extends Counterexample {
    PropertyCounterexample(Division division) {
        super(division);
    }

    /** The behaviour of the process that it must not have. */
    public Behaviour behaviour() {
        return division().implementation();
    }
}
