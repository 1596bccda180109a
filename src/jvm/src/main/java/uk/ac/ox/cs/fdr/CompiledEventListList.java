package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of lists of numbers of events, such as acceptances. */
public class CompiledEventListList extends FdrList<CompiledEventList> {
    /** An empty list, to which elements can be added. */
    public CompiledEventListList() {}

    CompiledEventListList(Collection<? extends CompiledEventList> elements) {
        super(elements);
    }
}
