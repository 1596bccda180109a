package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process is deterministic. */
public class DeterministicAssertion extends PropertyAssertion {
    DeterministicAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }
}
