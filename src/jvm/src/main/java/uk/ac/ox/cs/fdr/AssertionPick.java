package uk.ac.ox.cs.fdr;

import cspsym.client.Request;

/** The choice of an assertion in requests. */
final class AssertionPick {
    /** Null if the assertion is given by its number. */
    private final String text;
    private final long number;

    /** The assertion of the script with this number, counted from 1. */
    AssertionPick(long number) {
        this.number = number;
        text = null;
    }

    /** An assertion that is given as CSPm. */
    AssertionPick(String text) {
        this.text = text;
        number = 0;
    }

    /** Adds the choice to a request. */
    Request to(Request request) {
        return text == null ? request.with("assertion", number) : request.with("asserted", text);
    }
}
