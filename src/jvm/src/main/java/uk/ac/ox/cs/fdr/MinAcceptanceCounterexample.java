package uk.ac.ox.cs.fdr;

/** The implementation comes to rest and offers less than the specification wants. */
public class MinAcceptanceCounterexample extends RefinementCounterexample {
    private final CompiledEventList minAcceptance;

    MinAcceptanceCounterexample(Division division, CompiledEventList minAcceptance) {
        super(division);
        this.minAcceptance = minAcceptance;
    }

    /** The numbers of all events that it offers there. */
    public CompiledEventList minAcceptance() {
        return minAcceptance;
    }
}
