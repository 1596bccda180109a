package uk.ac.ox.cs.fdr;

/** Where the nodes of a machine come from. */
interface NodeSource {
    /** The process at its start, as CSPm. */
    String process();

    /** The node of the start. */
    Node root();

    /** What the process has become in a node, as CSPm, or null if it is not known. */
    String term(Node node);

    /** The steps from a node. */
    TransitionList transitions(Node node, Canceller canceller);

    /** The visible events that the process may do. */
    CompiledEventList alphabet();
}
