package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A counterexample of the program, divided as FDR divides it: into behaviours of machines. The keys
 * are those of {@code cspsym help json}.
 */
final class Division {
    private final Assertion assertion;
    private final JsonObject found;
    private final String kind;
    private final EventTable events;
    private final CompiledEventList steps;
    private final Behaviour implementation;
    private final Behaviour specification;

    Division(Assertion assertion, JsonObject found) {
        this.assertion = assertion;
        this.found = found;
        kind = found.get("kind").getAsString();
        events = assertion.script().events();
        steps = numbers("trace_with_taus");
        implementation = ofImplementation();
        specification = ofSpecification();
    }

    /** The counterexample, in the class of its kind. */
    Counterexample counterexample() {
        if (assertion instanceof DeterministicAssertion) {
            return new DeterminismCounterexample(this);
        }
        boolean isOfRefinement = assertion instanceof RefinementAssertion;
        switch (kind) {
            case "trace":
                return new TraceCounterexample(this, event());
            case "refusal":
            case "revival":
                return new MinAcceptanceCounterexample(this, numbers("offers"));
            case "deadlock":
                return new DeadlockCounterexample(this);
            case "divergence":
                return isOfRefinement
                        ? new RefinementDivergenceCounterexample(this)
                        : new DivergenceCounterexample(this);
            default:
                throw new Error("counterexamples of the kind " + kind + " are not known here");
        }
    }

    /** The behaviour of the process that is asked about. */
    Behaviour implementation() {
        return implementation;
    }

    /**
     * The behaviour of the specification, or of nondeterminism the other run of the process. Of a
     * property it is that of the process, without what is wrong.
     */
    Behaviour specification() {
        return specification;
    }

    /** The behaviours of the components of the implementation. */
    List<Behaviour> components() {
        boolean isAtRest = !kind.equals("trace") && !kind.equals("divergence");
        int loop = implementation instanceof LoopBehaviour ? steps.size() : -1;
        return new ComponentDivision(events, implementation.trace(), loop, isAtRest)
                .of(found.get("components"));
    }

    /** Of nondeterminism, the behaviours of the components in the other run; else none. */
    List<Behaviour> componentsOfSpecification() {
        return new ComponentDivision(events, specification.trace(), -1, false)
                .of(found.get("other_components"));
    }

    private Behaviour ofImplementation() {
        List<Long> whole = new ArrayList<>(steps);
        whole.addAll(numbers("cycle"));
        CompiledEventList trace = new CompiledEventList(whole);
        Path path = new RunOfCounterexample(assertion, trace.size()).path();
        List<TraceBehaviour> prior = sections(path);
        int done = prior.stream().mapToInt(section -> section.trace().size()).sum();
        if (prior.isEmpty()) {
            return end(path, trace, 0);
        }
        Behaviour last = end(path.part(done, trace.size()), part(trace, done, trace.size()), done);
        return new SegmentedBehaviour(path, trace, prior, last);
    }

    /** The end of the behaviour, along the trace from the step {@code start} on. */
    private Behaviour end(Path path, CompiledEventList trace, int start) {
        switch (kind) {
            case "trace":
            case "revival":
                return new TraceBehaviour(path, trace, event());
            case "divergence":
                return numbers("cycle").isEmpty()
                        ? new ExplicitDivergenceBehaviour(path, trace)
                        : new LoopBehaviour(path, trace, steps.size() - start);
            default:
                return new MinAcceptanceBehaviour(path, trace, numbers("offers"));
        }
    }

    /** The sections before the last one, each of which ends at rest. */
    private List<TraceBehaviour> sections(Path path) {
        List<TraceBehaviour> sections = new ArrayList<>();
        int start = 0;
        JsonElement rests = found.get("rests");
        if (rests != null && !rests.isJsonNull()) {
            for (JsonElement rest : rests.getAsJsonArray()) {
                // The rest is before this step, counted from 1.
                int before = rest.getAsJsonObject().get("before").getAsInt();
                int end = Math.max(start, Math.min(before - 1, steps.size()));
                CompiledEventList offers =
                        events.numbers(Texts.of(rest.getAsJsonObject().get("offers")));
                sections.add(section(path, start, end, offers));
                start = end;
            }
        }
        if (kind.equals("revival")) {
            sections.add(section(path, start, steps.size(), numbers("offers")));
        }
        return sections;
    }

    private TraceBehaviour section(Path path, int start, int end, CompiledEventList offers) {
        long next = end < steps.size() ? steps.get(end) : event();
        return new TraceBehaviour(path.part(start, end), part(steps, start, end), next, offers);
    }

    private Behaviour ofSpecification() {
        List<String> other = Texts.of(found.get("other_trace_with_taus"));
        Supplier<Machine> machine = this::machineOfSpecification;
        if (!other.isEmpty()) {
            // The report has the event at the end of the run; FDR has it apart.
            CompiledEventList run = events.numbers(other.subList(0, other.size() - 1));
            return new TraceBehaviour(Path.unknown(machine, run.size()), run, event());
        }
        CompiledEventList trace = numbers("trace");
        return new IrrelevantBehaviour(Path.unknown(machine, trace.size()), trace);
    }

    private Machine machineOfSpecification() {
        return assertion instanceof RefinementAssertion
                ? ((RefinementAssertion) assertion).specification()
                : implementation.machine();
    }

    private CompiledEventList numbers(String key) {
        return events.numbers(Texts.of(found.get(key)));
    }

    /** The event that is wrong; that which is none where a kind has no event. */
    private long event() {
        String event = Texts.of(found, "event");
        return event == null ? fdr.INVALIDEVENT : events.numberOfStep(event);
    }

    private static CompiledEventList part(CompiledEventList trace, int start, int end) {
        return new CompiledEventList(trace.subList(start, end));
    }
}
