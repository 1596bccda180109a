package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of texts. */
public class StringList extends FdrList<String> {
    /** An empty list, to which elements can be added. */
    public StringList() {}

    StringList(Collection<? extends String> elements) {
        super(elements);
    }
}
