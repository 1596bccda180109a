package uk.ac.ox.cs.fdr;

/** What a machine does: a trace, and how that ends. */
public abstract class Behaviour {
    private final Path path;
    private final CompiledEventList trace;

    Behaviour(Path path, CompiledEventList trace) {
        this.path = path;
        this.trace = trace;
    }

    /** The machine. */
    public Machine machine() {
        return path.machine();
    }

    /**
     * The nodes that it goes through, one more than the trace has events. One is null where the
     * machine takes no part, is not there, or the node is not known. Of specifications none is.
     */
    public NodePath nodePath() {
        return new NodePath(path.nodes());
    }

    /**
     * The numbers of its events, internal ones included. {@link fdr#INVALIDEVENT} stands where
     * others do an event, and this machine none.
     */
    public CompiledEventList trace() {
        return trace;
    }

    Path path() {
        return path;
    }

    /** The same behaviour along a longer trace. */
    abstract Behaviour spread(Spread spread);
}
