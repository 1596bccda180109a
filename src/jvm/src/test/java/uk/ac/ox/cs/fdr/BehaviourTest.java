package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

/** Counterexamples, in the classes and parts that FDR has. */
public class BehaviourTest {
    private static final String CHANNELS = "channel a, b, c";

    @Test
    public void anEventThatIsNotAllowed() {
        try (Session session = Sessions.of(CHANNELS,
                "assert a -> a -> STOP [T= a -> ((b -> STOP) |~| STOP)")) {
            TraceCounterexample found = (TraceCounterexample) counterexample(session);
            assertEquals("b", session.uncompileEvent(found.errorEvent()).toString());
            TraceBehaviour implementation = (TraceBehaviour) found.implementationBehaviour();
            assertEquals(found.errorEvent(), implementation.errorEvent());
            assertEquals(List.of("a", "τ"), Sessions.names(session, implementation.trace()));
            Behaviour specification = found.specificationBehaviour();
            assertEquals(IrrelevantBehaviour.class, specification.getClass());
            assertEquals(List.of("a"), Sessions.names(session, specification.trace()));
            assertEquals("a -> a -> STOP",
                    session.machineName(specification.machine()).toString());

            DebugContext context = new DebugContext(found, false);
            context.initialise(null);
            BehaviourList roots = context.rootBehaviours();
            assertEquals(List.of("a", "-"), Sessions.names(session, roots.get(0).trace()));
            assertEquals(List.of("a", "τ"), Sessions.names(session, roots.get(1).trace()));
            assertEquals(List.of(), context.behaviourChildren(roots.get(0)));
            assertThrows(Error.class, () -> context.behaviourChildren(implementation));
        }
    }

    @Test
    public void theNodesOfARunFollowEachOther() {
        try (Session session = Sessions.of(CHANNELS,
                "assert a -> STOP [T= (a -> STOP |~| c -> STOP); b -> STOP |~| a -> b -> STOP")) {
            RefinementCounterexample found = (RefinementCounterexample) counterexample(session);
            Behaviour behaviour = found.implementationBehaviour();
            Machine machine = behaviour.machine();
            NodePath nodes = behaviour.nodePath();
            assertEquals(behaviour.trace().size() + 1, nodes.size());
            assertEquals(machine.rootNode(), nodes.get(0));
            for (int step = 0; step < behaviour.trace().size(); step++) {
                long event = behaviour.trace().get(step);
                assertTrue(machine.afters(nodes.get(step), event).contains(nodes.get(step + 1)));
            }
        }
    }

    @Test
    public void offeringTooLittle() {
        try (Session session = Sessions.of(CHANNELS,
                "assert a -> (b -> STOP [] c -> STOP) [F= a -> (b -> STOP |~| c -> STOP)")) {
            MinAcceptanceCounterexample found =
                    (MinAcceptanceCounterexample) counterexample(session);
            assertEquals(1, found.minAcceptance().size());
            MinAcceptanceBehaviour behaviour =
                    (MinAcceptanceBehaviour) found.implementationBehaviour();
            assertEquals(found.minAcceptance(), behaviour.minAcceptance());
            assertEquals(List.of("a", "τ"), Sessions.names(session, behaviour.trace()));
        }
    }

    @Test
    public void componentsTakePartOrDoNot() {
        try (Session session = Sessions.of(CHANNELS,
                "P = a -> b -> STOP", "Q = b -> c -> Q",
                "assert P [|{b}|] Q :[deadlock free [F]]")) {
            DeadlockCounterexample found = (DeadlockCounterexample) counterexample(session);
            DebugContext context = new DebugContext(found, true);
            context.initialise(null);
            Behaviour root = context.rootBehaviours().get(0);
            assertEquals(found.behaviour(), root);
            assertEquals(List.of("a", "b", "c"), Sessions.names(session, root.trace()));
            BehaviourList components = context.behaviourChildren(root);
            MinAcceptanceBehaviour p = (MinAcceptanceBehaviour) components.get(0);
            MinAcceptanceBehaviour q = (MinAcceptanceBehaviour) components.get(1);
            assertEquals("P", session.machineName(p.machine()).toString());
            assertEquals(List.of("a", "b", "-"), Sessions.names(session, p.trace()));
            assertEquals(List.of("-", "b", "c"), Sessions.names(session, q.trace()));
            assertEquals(List.of(), p.minAcceptance());
            assertEquals(List.of("b"), Sessions.names(session, q.minAcceptance()));
            assertEquals(4, q.nodePath().size());
            assertNull(q.nodePath().get(1));
            assertEquals("Q", session.machineNodeName(q.machine(), q.nodePath().get(0)).toString());
            assertEquals(q.nodePath().get(0), q.nodePath().get(3));
            assertEquals(List.of(), context.behaviourChildren(q));
            assertThrows(Error.class, () -> q.machine().transitions(q.nodePath().get(0)));
        }
    }

    @Test
    public void divergenceIsALoop() {
        try (Session session = Sessions.of(CHANNELS,
                "P = b -> Q", "Q = a -> c -> Q",
                "assert P \\ {a, c} :[divergence free]")) {
            DivergenceCounterexample found = (DivergenceCounterexample) counterexample(session);
            LoopBehaviour loop = (LoopBehaviour) found.behaviour();
            assertEquals(1, loop.loopIndex());
            assertEquals("b", Sessions.names(session, loop.trace()).get(0));
            assertTrue(loop.trace().size() > 1);
            assertTrue(loop.trace().subList(1, loop.trace().size()).stream()
                    .allMatch(event -> event == fdr.TAU));
        }
        try (Session session = Sessions.of(CHANNELS,
                "Q = a -> Q", "assert STOP [FD= Q \\ {a}")) {
            RefinementDivergenceCounterexample found =
                    (RefinementDivergenceCounterexample) counterexample(session);
            assertEquals(LoopBehaviour.class, found.implementationBehaviour().getClass());
            assertEquals(IrrelevantBehaviour.class, found.specificationBehaviour().getClass());
        }
    }

    @Test
    public void nondeterminismHasTwoRuns() {
        try (Session session = Sessions.of(CHANNELS,
                "assert a -> b -> STOP [] a -> (STOP |~| c -> STOP) :[deterministic [F]]")) {
            DeterminismCounterexample found = (DeterminismCounterexample) counterexample(session);
            MinAcceptanceBehaviour refuses =
                    (MinAcceptanceBehaviour) found.implementationBehaviour();
            TraceBehaviour does = (TraceBehaviour) found.specificationBehaviour();
            assertFalse(refuses.minAcceptance().contains(does.errorEvent()));
            BehaviourList roots = new DebugContext(found, false).rootBehaviours();
            assertEquals(roots.get(0).trace().size(), roots.get(1).trace().size());
        }
    }

    @Test
    public void restsOnTheWayAreSections() {
        try (Session session = Sessions.of(CHANNELS,
                "SPEC = a -> b -> STOP [] c -> STOP",
                "IMPL = a -> b -> STOP |~| c -> STOP",
                "assert SPEC [R= (SPEC |~| a -> b -> STOP) ||| STOP")) {
            RefinementCounterexample found = (RefinementCounterexample) counterexample(session);
            Behaviour whole = found.implementationBehaviour();
            assertFalse(whole.trace().contains((long) fdr.INVALIDEVENT));
        }
    }

    private static Counterexample counterexample(Session session) {
        Assertion assertion = Sessions.decided(session);
        assertFalse(assertion.passed());
        assertEquals(1, assertion.counterexamples().size());
        return assertion.counterexamples().get(0);
    }
}
