package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of counterexamples. */
public class CounterexampleList extends FdrList<Counterexample> {
    /** An empty list, to which elements can be added. */
    public CounterexampleList() {}

    CounterexampleList(Collection<? extends Counterexample> elements) {
        super(elements);
    }
}
