package uk.ac.ox.cs.fdr;

/** A script, an expression or an assertion is wrong in a way that shows when it is used. */
public class InputFileError extends Error {
    private static final long serialVersionUID = 1;

    /** An error with this message. */
    public InputFileError(String error) {
        super(error);
    }
}
