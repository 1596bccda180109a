package uk.ac.ox.cs.fdr;

/** The implementation does internal steps for ever, and the specification does not. */
public class RefinementDivergenceCounterexample extends RefinementCounterexample {
    RefinementDivergenceCounterexample(Division division) {
        super(division);
    }
}
