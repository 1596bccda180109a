package uk.ac.ox.cs.fdr;

/** A behaviour that goes on for ever: the end of its trace is repeated. */
public class LoopBehaviour extends Behaviour {
    private final int loopIndex;

    LoopBehaviour(Path path, CompiledEventList trace, int loopIndex) {
        super(path, trace);
        this.loopIndex = loopIndex;
    }

    /** The index in the trace from which on it is repeated. */
    public long loopIndex() {
        return loopIndex;
    }

    @Override
    Behaviour spread(Spread spread) {
        return new LoopBehaviour(
                path().spread(spread), spread.trace(trace()), spread.place(loopIndex));
    }
}
