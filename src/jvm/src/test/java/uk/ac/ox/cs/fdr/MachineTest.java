package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** Machines, node by node. */
public class MachineTest {
    private static final String SCRIPT =
            "channel a, b, c\nP = a -> (b -> P |~| STOP) [] b -> SKIP\nDIV = a -> DIV";

    @Test
    public void nodesAreMetStepByStep() {
        try (Session session = Sessions.of(SCRIPT)) {
            Machine machine = machine(session, "P");
            Node root = machine.rootNode();
            assertEquals(Set.of("a", "b"), initials(session, machine, root));
            assertEquals("P", session.machineName(machine).toString());
            assertEquals("P", session.machineNodeName(machine, root).toString());
            Node choice = after(session, machine, root, "a");
            assertEquals(Set.of("τ"), initials(session, machine, choice));
            assertEquals(List.of(), machine.minimalAcceptances(choice));
            assertEquals(2, machine.afters(choice, fdr.TAU).size());
            Node end = after(session, machine, root, "b");
            assertEquals(Set.of("✓"), initials(session, machine, end));
            assertEquals(1, machine.minimalAcceptances(root).size());
        }
    }

    @Test
    public void equalStatesAreEqualNodes() {
        try (Session session = Sessions.of(SCRIPT, "Q = a -> b -> Q")) {
            Machine machine = machine(session, "Q");
            Node root = machine.rootNode();
            Node middle = after(session, machine, root, "a");
            Node again = after(session, machine, middle, "b");
            assertEquals(root, again);
            assertEquals(root.hashCode(), again.hashCode());
            assertNotEquals(root, middle);
            Machine other = machine(session, "Q");
            assertNotEquals(root, other.rootNode());
            assertThrows(Error.class, () -> other.transitions(root));
        }
    }

    @Test
    public void alphabetsHaveWhatMayBeDone() {
        try (Session session = Sessions.of(SCRIPT)) {
            Machine machine = machine(session, "P");
            List<String> visible = Sessions.names(session, machine.alphabet(false));
            assertEquals(Set.of("a", "b"), new TreeSet<>(visible));
            assertEquals(fdr.TAU, (long) machine.alphabet(true).get(0));
            assertEquals(visible.size() + 1, machine.alphabet(true).size());
        }
    }

    @Test
    public void divergenceIsACycleOfInternalSteps() {
        try (Session session = Sessions.of(SCRIPT)) {
            Machine divergent = machine(session, "DIV \\ {a}");
            assertTrue(divergent.isDivergent(divergent.rootNode(), null));
            Machine later = machine(session, "b -> (DIV \\ {a})");
            assertFalse(later.isDivergent(later.rootNode(), null));
            // A diamond of internal steps is no cycle.
            Machine diamond = machine(session, "(a -> STOP ||| b -> STOP) \\ {a, b}");
            assertFalse(diamond.isDivergent(diamond.rootNode(), new Canceller()));
        }
    }

    @Test
    public void processesWithoutEndCanBeEntered() {
        try (Session session = Sessions.of("channel n : Int", "UP(i) = n.i -> UP(i + 1)")) {
            Machine machine = machine(session, "UP(0)");
            Node node = machine.rootNode();
            for (int step = 0; step < 100; step++) {
                node = after(session, machine, node, "n." + step);
            }
            assertEquals("UP(100)", session.machineNodeName(machine, node).toString());
        }
    }

    @Test
    public void machinesStayOpenWhenTheirSessionIsClosed() {
        Session session = Sessions.of(SCRIPT);
        Machine machine = machine(session, "P");
        session.close();
        assertEquals(2, machine.transitions(machine.rootNode()).size());
        Error closed = assertThrows(Error.class, () -> machine(session, "P"));
        assertEquals("the session is closed", closed.getMessage());
        session.delete();
    }

    @Test
    public void whatIsNoProcessIsRefused() {
        try (Session session = Sessions.of(SCRIPT)) {
            assertThrows(InputFileError.class, () -> machine(session, "{a}"));
            assertThrows(InputFileError.class, () -> machine(session, "NOWHERE"));
        }
    }

    private static Machine machine(Session session, String process) {
        return session.evaluateProcess(process, SemanticModel.Traces, null).result();
    }

    private static Set<String> initials(Session session, Machine machine, Node node) {
        return new TreeSet<>(Sessions.names(session, machine.initials(node)));
    }

    private static Node after(Session session, Machine machine, Node node, String event) {
        for (Transition transition : machine.transitions(node)) {
            if (session.uncompileEvent(transition.event()).toString().equals(event)) {
                return transition.destination();
            }
        }
        throw new AssertionError(event + " is no step of " + node);
    }
}
