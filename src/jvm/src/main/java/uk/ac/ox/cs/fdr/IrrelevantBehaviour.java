package uk.ac.ox.cs.fdr;

/** A behaviour at whose end nothing is wrong, such as that of a specification. */
public class IrrelevantBehaviour extends Behaviour {
    IrrelevantBehaviour(Path path, CompiledEventList trace) {
        super(path, trace);
    }

    @Override
    Behaviour spread(Spread spread) {
        return new IrrelevantBehaviour(path().spread(spread), spread.trace(trace()));
    }
}
