package uk.ac.ox.cs.fdr;

/** A process of a script. */
public class ProcessName {
    private final String text;

    ProcessName(String text) {
        this.text = text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProcessName && ((ProcessName) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The process as CSPm. */
    @Override
    public String toString() {
        return text;
    }
}
