package uk.ac.ox.cs.fdr;

/** The implementation does an event that the specification does not allow. */
public class TraceCounterexample extends RefinementCounterexample {
    private final long errorEvent;

    TraceCounterexample(Division division, long errorEvent) {
        super(division);
        this.errorEvent = errorEvent;
    }

    /** The number of the event. */
    public long errorEvent() {
        return errorEvent;
    }
}
