package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of print statements. */
public class PrintStatementList extends FdrList<PrintStatement> {
    /** An empty list, to which elements can be added. */
    public PrintStatementList() {}

    PrintStatementList(Collection<? extends PrintStatement> elements) {
        super(elements);
    }
}
