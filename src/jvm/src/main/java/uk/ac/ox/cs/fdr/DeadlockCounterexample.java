package uk.ac.ox.cs.fdr;

/** The process comes to a state in which it does nothing more. */
public class DeadlockCounterexample extends PropertyCounterexample {
    DeadlockCounterexample(Division division) {
        super(division);
    }
}
