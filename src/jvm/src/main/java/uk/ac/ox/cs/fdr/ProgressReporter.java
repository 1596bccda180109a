package uk.ac.ox.cs.fdr;

/**
 * A class that programs load which load FDR's classes by their names. Nothing else is done with it:
 * how far the work is cannot be asked here.
 */
public class ProgressReporter {
    private ProgressReporter() {}
}
