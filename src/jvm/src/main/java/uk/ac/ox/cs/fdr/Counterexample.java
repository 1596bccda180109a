package uk.ac.ox.cs.fdr;

/** What shows that an assertion fails. */
public abstract class Counterexample {
    private final Division division;

    Counterexample(Division division) {
        this.division = division;
    }

    Division division() {
        return division;
    }
}
