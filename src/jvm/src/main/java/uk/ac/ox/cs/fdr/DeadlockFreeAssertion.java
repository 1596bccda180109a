package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process never comes to a state in which it does nothing more. */
public class DeadlockFreeAssertion extends PropertyAssertion {
    DeadlockFreeAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }
}
