package uk.ac.ox.cs.fdr;

/** A script could not be loaded: it is not there, cannot be read, or has mistakes. */
public class FileLoadError extends Error {
    private static final long serialVersionUID = 1;

    /** The script. */
    private final String fileName;

    /** An error about this script. */
    public FileLoadError(String fileName, String error) {
        super(error);
        this.fileName = fileName;
    }

    /** The script that was to be loaded. */
    public String fileName() {
        return fileName;
    }
}
