package uk.ac.ox.cs.fdr;

/** An event of a script. */
public class Event {
    private final String text;

    Event(String text) {
        this.text = text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Event && ((Event) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The event as CSPm; {@code τ} and {@code ✓} for the two that CSPm does not write. */
    @Override
    public String toString() {
        return text;
    }
}
