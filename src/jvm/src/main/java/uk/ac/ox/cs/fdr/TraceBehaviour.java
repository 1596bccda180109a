package uk.ac.ox.cs.fdr;

/** A behaviour that ends in an event, which stands behind its trace. */
public class TraceBehaviour extends Behaviour {
    private final long errorEvent;
    private final CompiledEventList restAcceptance;

    TraceBehaviour(Path path, CompiledEventList trace, long errorEvent) {
        this(path, trace, errorEvent, null);
    }

    TraceBehaviour(
            Path path, CompiledEventList trace, long errorEvent, CompiledEventList restAcceptance) {
        super(path, trace);
        this.errorEvent = errorEvent;
        this.restAcceptance = restAcceptance;
    }

    /** The number of the event: one that is not allowed, or with which the next section begins. */
    public long errorEvent() {
        return errorEvent;
    }

    /**
     * Of a section of a {@link SegmentedBehaviour}: the numbers of all events that are offered
     * where the machine is at rest before the event. Otherwise null. FDR does not have this.
     */
    public CompiledEventList restAcceptance() {
        return restAcceptance;
    }

    @Override
    Behaviour spread(Spread spread) {
        return new TraceBehaviour(
                path().spread(spread), spread.trace(trace()), errorEvent, restAcceptance);
    }
}
