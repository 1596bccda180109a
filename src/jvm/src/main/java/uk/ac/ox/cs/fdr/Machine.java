package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A process as a transition system. Its nodes are found as they are asked for, so that the start
 * of a process with any number of states can be looked at.
 */
public class Machine {
    private final NodeSource nodes;

    Machine(NodeSource nodes) {
        this.nodes = nodes;
    }

    /** The machine that the program has opened. */
    Machine(Script script, JsonObject opened) {
        this(new OpenedNodes(script, opened));
    }

    /** The node of the start. */
    public Node rootNode() {
        return nodes.root();
    }

    /** The steps that can be done in a node. */
    public TransitionList transitions(Node node) {
        return nodes.transitions(own(node), null);
    }

    /** The events that can be done in a node, each once. */
    public CompiledEventList initials(Node node) {
        Set<Long> events = new LinkedHashSet<>();
        transitions(node).forEach(transition -> events.add(transition.event()));
        return new CompiledEventList(events);
    }

    /** The nodes that an event leads to, each once. */
    public NodePath afters(Node node, long event) {
        Set<Node> found = new LinkedHashSet<>();
        for (Transition transition : transitions(node)) {
            if (transition.event() == event) {
                found.add(transition.destination());
            }
        }
        return new NodePath(found);
    }

    /** The sets of events of which one is offered: the initials, or none where τ is possible. */
    public CompiledEventListList minimalAcceptances(Node node) {
        CompiledEventList initials = initials(node);
        boolean isAtRest = !initials.contains((long) fdr.TAU);
        return new CompiledEventListList(isAtRest ? List.of(initials) : List.of());
    }

    /**
     * True if τ can be done for ever.
     *
     * @param canceller what may end the work, or null
     */
    public boolean isDivergent(Node node, Canceller canceller) {
        // Depth first: a node that is met again on the way to itself closes a cycle.
        Deque<Node> way = new ArrayDeque<>();
        Deque<Iterator<Node>> left = new ArrayDeque<>();
        Set<Node> onWay = new HashSet<>();
        Set<Node> met = new HashSet<>();
        way.push(own(node));
        onWay.add(node);
        met.add(node);
        left.push(afterTau(node, canceller));
        while (!way.isEmpty()) {
            if (!left.peek().hasNext()) {
                onWay.remove(way.pop());
                left.pop();
                continue;
            }
            Node next = left.peek().next();
            if (onWay.contains(next)) {
                return true;
            }
            if (met.add(next)) {
                way.push(next);
                onWay.add(next);
                left.push(afterTau(next, canceller));
            }
        }
        return false;
    }

    /**
     * The events that the process may do; perhaps more than it does.
     *
     * @param includeTau true if τ is to be among them
     */
    public CompiledEventList alphabet(boolean includeTau) {
        CompiledEventList visible = nodes.alphabet();
        if (!includeTau) {
            return visible;
        }
        List<Long> events = new ArrayList<>(visible);
        events.add(0, (long) fdr.TAU);
        return new CompiledEventList(events);
    }

    /** Returns false: divergence shows in the transitions alone. */
    public boolean isExplicitlyDivergent(Node node) {
        return false;
    }

    /** Returns false: divergence shows in the transitions alone. */
    public boolean hasDivergenceLabellings() {
        return false;
    }

    /** Returns false: acceptances show in the transitions alone. */
    public boolean hasMinimalAcceptanceLabellings() {
        return false;
    }

    /** Does nothing: the memory is freed when the machine is not reached any more. */
    public void delete() {}

    /** The process at its start. */
    ProcessName name() {
        return new ProcessName(nodes.process());
    }

    /** The process in a node; null if it is not known. */
    ProcessName name(Node node) {
        String term = nodes.term(own(node));
        return term == null ? null : new ProcessName(term);
    }

    private Iterator<Node> afterTau(Node node, Canceller canceller) {
        List<Node> found = new ArrayList<>();
        for (Transition transition : nodes.transitions(node, canceller)) {
            if (transition.event() == fdr.TAU) {
                found.add(transition.destination());
            }
        }
        return found.iterator();
    }

    private Node own(Node node) {
        if (!node.isOf(nodes)) {
            throw new Error(node + " belongs to another machine");
        }
        return node;
    }
}
