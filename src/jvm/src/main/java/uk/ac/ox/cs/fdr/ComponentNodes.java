package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.List;

/** The nodes of a component of a process along one run. Nothing else is known of it. */
final class ComponentNodes implements NodeSource {
    private final String name;
    /** What the component was in each node, by the numbers of nodes. */
    private final List<String> terms = new ArrayList<>();

    /** The nodes of a component, none so far. */
    ComponentNodes(String name) {
        this.name = name;
    }

    /** The node in which the component was {@code term}; equal texts are one node. */
    Node node(String term) {
        int number = terms.indexOf(term);
        if (number < 0) {
            number = terms.size();
            terms.add(term);
        }
        return new Node(this, number);
    }

    @Override
    public String process() {
        return name;
    }

    @Override
    public Node root() {
        if (terms.isEmpty()) {
            throw unknown();
        }
        return new Node(this, 0);
    }

    @Override
    public String term(Node node) {
        return terms.get((int) node.number());
    }

    @Override
    public TransitionList transitions(Node node, Canceller canceller) {
        throw unknown();
    }

    @Override
    public CompiledEventList alphabet() {
        throw unknown();
    }

    private Error unknown() {
        return new Error("only the run of the component " + name + " is known here; make a machine"
                + " of the process with Session.evaluateProcess");
    }
}
