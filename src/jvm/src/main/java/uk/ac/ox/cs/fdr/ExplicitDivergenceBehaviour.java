package uk.ac.ox.cs.fdr;

/** A behaviour that ends in internal steps for ever, of which none is known. */
public class ExplicitDivergenceBehaviour extends Behaviour {
    ExplicitDivergenceBehaviour(Path path, CompiledEventList trace) {
        super(path, trace);
    }

    @Override
    Behaviour spread(Spread spread) {
        return new ExplicitDivergenceBehaviour(path().spread(spread), spread.trace(trace()));
    }
}
