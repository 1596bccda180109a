package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process never does internal steps for ever. */
public class DivergenceFreeAssertion extends PropertyAssertion {
    DivergenceFreeAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }
}
