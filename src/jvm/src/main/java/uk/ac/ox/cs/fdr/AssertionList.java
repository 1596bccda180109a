package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of assertions. */
public class AssertionList extends FdrList<Assertion> {
    /** An empty list, to which elements can be added. */
    public AssertionList() {}

    AssertionList(Collection<? extends Assertion> elements) {
        super(elements);
    }
}
