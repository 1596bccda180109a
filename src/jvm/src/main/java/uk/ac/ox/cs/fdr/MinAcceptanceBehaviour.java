package uk.ac.ox.cs.fdr;

/** A behaviour that ends at rest. */
public class MinAcceptanceBehaviour extends Behaviour {
    private final CompiledEventList minAcceptance;

    MinAcceptanceBehaviour(Path path, CompiledEventList trace, CompiledEventList minAcceptance) {
        super(path, trace);
        this.minAcceptance = minAcceptance;
    }

    /** The numbers of all events that are offered there. */
    public CompiledEventList minAcceptance() {
        return minAcceptance;
    }

    @Override
    Behaviour spread(Spread spread) {
        return new MinAcceptanceBehaviour(
                path().spread(spread), spread.trace(trace()), minAcceptance);
    }
}
