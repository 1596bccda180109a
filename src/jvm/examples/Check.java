import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import uk.ac.ox.cs.fdr.Assertion;
import uk.ac.ox.cs.fdr.Behaviour;
import uk.ac.ox.cs.fdr.Counterexample;
import uk.ac.ox.cs.fdr.DebugContext;
import uk.ac.ox.cs.fdr.FileLoadError;
import uk.ac.ox.cs.fdr.InputFileError;
import uk.ac.ox.cs.fdr.Machine;
import uk.ac.ox.cs.fdr.MinAcceptanceBehaviour;
import uk.ac.ox.cs.fdr.Node;
import uk.ac.ox.cs.fdr.PropertyCounterexample;
import uk.ac.ox.cs.fdr.RefinementAssertion;
import uk.ac.ox.cs.fdr.RefinementCounterexample;
import uk.ac.ox.cs.fdr.Session;
import uk.ac.ox.cs.fdr.TraceBehaviour;
import uk.ac.ox.cs.fdr.Transition;
import uk.ac.ox.cs.fdr.fdr;

/**
 * Decides the assertions of the script that is named, and tells what is wrong with those that fail.
 */
public final class Check {
    private final PrintStream out;
    private final Session session = new Session();

    private Check(PrintStream out) {
        this.out = out;
    }

    /** Decides the assertions of the script that is the only argument. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            new Check(out).checkAll(arguments[0]);
        } catch (FileLoadError | InputFileError error) {
            out.println(error.getMessage());
        } finally {
            fdr.libraryExit();
        }
    }

    private void checkAll(String script) {
        session.loadFile(script);
        for (Assertion assertion : session.assertions()) {
            assertion.execute(null);
            out.println(assertion + ": " + (assertion.passed() ? "holds" : "fails"));
            for (Counterexample counterexample : assertion.counterexamples()) {
                for (Behaviour root : context(counterexample).rootBehaviours()) {
                    tell(root);
                }
            }
            if (assertion instanceof RefinementAssertion) {
                Machine machine = ((RefinementAssertion) assertion).implementation();
                out.println("  its implementation has " + nodes(machine) + " states");
            }
        }
        String events = session.evaluateExpression("Events", null).result();
        out.println("the events are " + events);
    }

    private static DebugContext context(Counterexample counterexample) {
        DebugContext context = counterexample instanceof RefinementCounterexample
                ? new DebugContext((RefinementCounterexample) counterexample, false)
                : new DebugContext((PropertyCounterexample) counterexample, false);
        context.initialise(null);
        return context;
    }

    private void tell(Behaviour behaviour) {
        String process = session.machineName(behaviour.machine()).toString();
        String end = "";
        if (behaviour instanceof TraceBehaviour) {
            end = ", then " + name(((TraceBehaviour) behaviour).errorEvent());
        } else if (behaviour instanceof MinAcceptanceBehaviour) {
            end = ", then offers {"
                    + names(((MinAcceptanceBehaviour) behaviour).minAcceptance()) + "}";
        }
        out.println("  " + process + " does <" + names(behaviour.trace()) + ">" + end);
        for (Node node : behaviour.nodePath()) {
            if (node != null) {
                out.println("    " + session.machineNodeName(behaviour.machine(), node));
            }
        }
    }

    private String names(Iterable<Long> events) {
        StringBuilder names = new StringBuilder();
        for (long event : events) {
            names.append(names.length() == 0 ? "" : ", ").append(name(event));
        }
        return names.toString();
    }

    private String name(long event) {
        return event == fdr.INVALIDEVENT ? "-" : session.uncompileEvent(event).toString();
    }

    private static int nodes(Machine machine) {
        Set<Node> met = new HashSet<>();
        Deque<Node> left = new ArrayDeque<>();
        met.add(machine.rootNode());
        left.add(machine.rootNode());
        while (!left.isEmpty()) {
            for (Transition transition : machine.transitions(left.remove())) {
                if (met.add(transition.destination())) {
                    left.add(transition.destination());
                }
            }
        }
        return met.size();
    }
}
