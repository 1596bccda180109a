package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of behaviours. */
public class BehaviourList extends FdrList<Behaviour> {
    /** An empty list, to which elements can be added. */
    public BehaviourList() {}

    BehaviourList(Collection<? extends Behaviour> elements) {
        super(elements);
    }
}
