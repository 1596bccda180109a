package uk.ac.ox.cs.fdr;

/** Work was ended by its {@link Canceller}, or because the thread was interrupted. */
public class CancelledError extends Error {
    private static final long serialVersionUID = 1;

    /** An error that says so. */
    public CancelledError() {
        super("the work was cancelled");
    }
}
