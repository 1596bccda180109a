package uk.ac.ox.cs.fdr;

/** What belongs to no session: the library itself, and the events that every session has. */
public class fdr {
    /** The event of a trace where a component takes no part in what the others do. */
    public static final int INVALIDEVENT = 0;

    /** The internal event, τ. */
    public static final int TAU = 1;

    /** Programs that load this class by its name make an object of it. */
    public fdr() {}

    /** Does nothing: cspsym is started when it is first needed. */
    public static void libraryInit() {}

    /**
     * Ends cspsym and everything that it works on. What was read from a session stays as it is; a
     * new session starts cspsym again.
     */
    public static void libraryExit() {
        Library.exit();
    }

    /** Returns true: cspsym needs no licence. */
    public static boolean hasValidLicense() {
        return true;
    }

    /** The name and the version of the program, such as {@code cspsym 0.1.0}. */
    public static String version() {
        return Library.version();
    }
}
