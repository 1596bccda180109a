package uk.ac.ox.cs.fdr;

/** The process does internal steps for ever. */
public class DivergenceCounterexample extends PropertyCounterexample {
    DivergenceCounterexample(Division division) {
        super(division);
    }
}
