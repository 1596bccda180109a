package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of numbers of events, such as a trace. */
public class CompiledEventList extends FdrList<Long> {
    /** An empty list, to which elements can be added. */
    public CompiledEventList() {}

    CompiledEventList(Collection<? extends Long> elements) {
        super(elements);
    }
}
