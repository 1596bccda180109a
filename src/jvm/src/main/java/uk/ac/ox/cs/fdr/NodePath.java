package uk.ac.ox.cs.fdr;

import java.util.Collection;

/** A list of nodes. One is null where there is none, or none is known. */
public class NodePath extends FdrList<Node> {
    /** An empty list, to which elements can be added. */
    public NodePath() {}

    NodePath(Collection<? extends Node> elements) {
        super(elements);
    }
}
