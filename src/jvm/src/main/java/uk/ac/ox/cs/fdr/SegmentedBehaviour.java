package uk.ac.ox.cs.fdr;

import java.util.List;

/**
 * A behaviour in sections: before the last one, the machine was seen at rest at the end of each.
 * There are such behaviours in the models that see refusals on the way, and revivals.
 */
public class SegmentedBehaviour extends Behaviour {
    private final TraceBehaviourList priorSections;
    private final Behaviour last;

    SegmentedBehaviour(
            Path path, CompiledEventList trace, List<TraceBehaviour> priorSections, Behaviour last) {
        super(path, trace);
        this.priorSections = new TraceBehaviourList(priorSections);
        this.last = last;
    }

    /** The last section, which shows what is wrong. */
    public Behaviour last() {
        return last;
    }

    /** The sections before. All traces of sections together are the trace of the whole. */
    public TraceBehaviourList priorSections() {
        return priorSections;
    }

    @Override
    Behaviour spread(Spread spread) {
        return new SegmentedBehaviour(
                path().spread(spread), spread.trace(trace()), priorSections, last);
    }
}
