package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of events. */
public class EventList extends FdrList<Event> {
    /** An empty list, to which elements can be added. */
    public EventList() {}

    EventList(Collection<? extends Event> elements) {
        super(elements);
    }
}
