package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process has a trace. */
public class HasTraceAssertion extends PropertyAssertion {
    HasTraceAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }
}
