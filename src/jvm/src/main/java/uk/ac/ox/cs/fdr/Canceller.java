package uk.ac.ox.cs.fdr;

import cspsym.client.Pending;
import java.util.HashSet;
import java.util.Set;

/**
 * Ends work from another thread. One canceller may be given to any number of calls; those that run
 * when {@link #cancel} is called, and those that begin later, end with a {@link CancelledError}.
 */
public class Canceller {
    private final Set<Pending> running = new HashSet<>();
    private boolean cancelled;

    /** A canceller that has cancelled nothing yet. */
    public Canceller() {}

    /** Ends the work of all calls that have this canceller. */
    public synchronized void cancel() {
        cancelled = true;
        running.forEach(Pending::stop);
    }

    /** True if {@link #cancel} was called. */
    public synchronized boolean cancelled() {
        return cancelled;
    }

    /** Does nothing: there is nothing to free. */
    public void delete() {}

    /** Notes work that is to be stopped. */
    synchronized void begin(Pending work) {
        if (cancelled) {
            work.stop();
        } else {
            running.add(work);
        }
    }

    synchronized void end(Pending work) {
        running.remove(work);
    }
}
