package uk.ac.ox.cs.fdr;

/** A state of a machine. Only nodes of the same machine are ever equal. */
public class Node {
    private final Object owner;
    private final long number;

    Node(Object owner, long number) {
        this.owner = owner;
        this.number = number;
    }

    long number() {
        return number;
    }

    boolean isOf(Object machine) {
        return owner == machine;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Node
                && ((Node) other).owner == owner
                && ((Node) other).number == number;
    }

    /** A number that no other node of the machine has. */
    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    @Override
    public String toString() {
        return "node " + number;
    }
}
