package uk.ac.ox.cs.fdr;

/** A line {@code print E} of a script. */
public class PrintStatement {
    private final String expression;
    private final String sourceLocation;

    PrintStatement(String expression, String sourceLocation) {
        this.expression = expression;
        this.sourceLocation = sourceLocation;
    }

    /** The expression, as CSPm. */
    public String expression() {
        return expression;
    }

    /** Its place, as {@code file:line:column}. */
    public String sourceLocation() {
        return sourceLocation;
    }
}
