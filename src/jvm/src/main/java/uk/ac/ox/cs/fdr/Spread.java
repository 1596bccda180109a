package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.List;

/**
 * How a trace is spread over a longer one, so that traces of several behaviours fit together.
 *
 * <p>For each place of the longer trace it says which event of the shorter one stands there, or
 * that none does.
 */
final class Spread {
    private static final int NONE = -1;

    private final List<Integer> places;

    private Spread(List<Integer> places) {
        this.places = places;
    }

    /** By places of the longer trace: the index of the event, or a negative number. */
    List<Integer> places() {
        return places;
    }

    /** The longer trace. */
    CompiledEventList trace(CompiledEventList trace) {
        List<Long> events = new ArrayList<>();
        places.forEach(place -> events.add(place < 0 ? fdr.INVALIDEVENT : trace.get(place)));
        return new CompiledEventList(events);
    }

    /** The place of the event with this index. */
    int place(int index) {
        int place = places.indexOf(index);
        return place < 0 ? places.size() : place;
    }

    /**
     * The ways to spread two traces of the same visible events over one: both do these together,
     * and each its internal steps alone. What is left of one that is longer stands at the end.
     */
    static Spread[] together(List<Long> first, List<Long> second) {
        List<Integer> ofFirst = new ArrayList<>();
        List<Integer> ofSecond = new ArrayList<>();
        int one = 0;
        int other = 0;
        while (one < first.size() || other < second.size()) {
            boolean oneAlone = one < first.size()
                    && (other == second.size() || first.get(one) == fdr.TAU);
            boolean otherAlone = !oneAlone
                    && (one == first.size() || second.get(other) == fdr.TAU);
            ofFirst.add(otherAlone ? NONE : one++);
            ofSecond.add(oneAlone ? NONE : other++);
        }
        return new Spread[] {new Spread(ofFirst), new Spread(ofSecond)};
    }
}
