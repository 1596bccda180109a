package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * How much of an assertion was searched, in numbers. One is 0 where nothing was counted, and of
 * symmetric states one counts for all.
 */
public class BFSRefinementProgress extends Progress {
    private final long plys;
    private final long states;
    private final long transitions;

    BFSRefinementProgress(JsonObject report) {
        // The start counts as a level of its own in the report.
        plys = Math.max(0, number(report, "levels") - 1);
        states = number(report, "states");
        transitions = number(report, "transitions");
    }

    /** The steps by which the search has gone on from the start. */
    public long plys() {
        return plys;
    }

    /** The states that were found. */
    public long statePairsCount() {
        return states;
    }

    /** The transitions that were followed. */
    public long transitionCount() {
        return transitions;
    }

    private static long number(JsonObject report, String key) {
        JsonElement value = report.get(key);
        return value == null || value.isJsonNull() ? 0 : value.getAsLong();
    }
}
