package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The machine of a behaviour, and its nodes along the trace. Both are found when asked for. */
final class Path {
    private final Supplier<Machine> machine;
    private final Supplier<List<Node>> nodes;

    Path(Supplier<Machine> machine, Supplier<List<Node>> nodes) {
        this.machine = machine;
        this.nodes = nodes;
    }

    /** The path along so many events whose nodes are not known. */
    static Path unknown(Supplier<Machine> machine, int events) {
        return new Path(machine, () -> Collections.nCopies(events + 1, null));
    }

    Machine machine() {
        return machine.get();
    }

    /** The nodes, one more than there are events. One that is not known is null. */
    List<Node> nodes() {
        return nodes.get();
    }

    /** The part along the events from {@code start} to {@code end}. */
    Path part(int start, int end) {
        return new Path(machine, () -> nodes.get().subList(start, end + 1));
    }

    /** The path along a longer trace, see {@link Spread}. */
    Path spread(Spread spread) {
        return new Path(machine, () -> {
            List<Node> known = nodes.get();
            List<Node> spreadNodes = new ArrayList<>();
            spreadNodes.add(known.get(0));
            for (int place : spread.places()) {
                spreadNodes.add(place < 0 ? null : known.get(place + 1));
            }
            return spreadNodes;
        });
    }
}
