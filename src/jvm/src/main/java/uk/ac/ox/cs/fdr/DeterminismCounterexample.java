package uk.ac.ox.cs.fdr;

/** The process does, or refuses, the same event after the same trace; or it diverges. */
public class DeterminismCounterexample extends RefinementCounterexample {
    DeterminismCounterexample(Division division) {
        super(division);
    }
}
