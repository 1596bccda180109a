package uk.ac.ox.cs.fdr;

/** How much of an assertion was searched. */
public class Progress {
    Progress() {}
}
