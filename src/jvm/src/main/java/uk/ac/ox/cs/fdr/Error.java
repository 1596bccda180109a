package uk.ac.ox.cs.fdr;

/**
 * Something went wrong. An assertion that was left undecided is such an error, too, so that it is
 * never taken for one that holds or fails.
 */
public class Error extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** An error with this message. */
    public Error(String description) {
        super(description);
    }

    Error(String description, Throwable cause) {
        super(description, cause);
    }
}
