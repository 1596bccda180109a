package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;

/** An assertion that a process refines another one. */
public class RefinementAssertion extends Assertion {
    private Machine specification;
    private Machine implementation;

    RefinementAssertion(Script script, AssertionPick pick, JsonObject entry) {
        super(script, pick, entry);
    }

    /** The machine of the right-hand side. */
    public synchronized Machine implementation() {
        if (implementation == null) {
            implementation = open(known("process"));
        }
        return implementation;
    }

    /** The machine of the left-hand side. */
    public synchronized Machine specification() {
        if (specification == null) {
            specification = open(known("specification"));
        }
        return specification;
    }

    /** The model in which the processes are compared. */
    public SemanticModel model() {
        return modelOfAssertion();
    }
}
