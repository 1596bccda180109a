/**
 * The names of FDR's interface for Java, over cspsym.
 *
 * <p>Programs that were written for FDR go on as they are. {@link uk.ac.ox.cs.fdr.Session} is where
 * to begin. All errors are unchecked, and each is a {@link uk.ac.ox.cs.fdr.Error}. All classes may
 * be used by several threads at the same time.
 */
package uk.ac.ox.cs.fdr;
