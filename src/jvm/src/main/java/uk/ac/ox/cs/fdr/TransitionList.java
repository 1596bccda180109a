package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of transitions. */
public class TransitionList extends FdrList<Transition> {
    /** An empty list, to which elements can be added. */
    public TransitionList() {}

    TransitionList(Collection<? extends Transition> elements) {
        super(elements);
    }
}
