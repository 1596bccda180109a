package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process has a property. */
public class PropertyAssertion extends Assertion {
    private Machine machine;

    PropertyAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }

    /** The machine of the process. */
    public synchronized Machine machine() {
        if (machine == null) {
            machine = open(known("process"));
        }
        return machine;
    }

    /** The model in which the property is meant. */
    public SemanticModel semanticModel() {
        return modelOfAssertion();
    }
}
