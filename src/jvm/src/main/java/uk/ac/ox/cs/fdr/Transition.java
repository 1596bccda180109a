package uk.ac.ox.cs.fdr;

/** A step that a machine can do. */
public class Transition {
    private final long event;
    private final Node destination;

    Transition(long event, Node destination) {
        this.event = event;
        this.destination = destination;
    }

    /** The number of the event. */
    public long event() {
        return event;
    }

    /** The node that the step leads to. */
    public Node destination() {
        return destination;
    }
}
