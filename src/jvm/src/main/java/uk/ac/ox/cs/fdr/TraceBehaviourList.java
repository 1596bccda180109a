package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of behaviours that end in an event. */
public class TraceBehaviourList extends FdrList<TraceBehaviour> {
    /** An empty list, to which elements can be added. */
    public TraceBehaviourList() {}

    TraceBehaviourList(Collection<? extends TraceBehaviour> elements) {
        super(elements);
    }
}
