package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import cspsym.client.Answer;
import cspsym.client.Request;
import java.util.List;

/** An assertion about processes. */
public class Assertion {
    private final Script script;
    private final AssertionPick pick;
    /** The entry of the assertion in what the program knows of the script. */
    private final JsonObject entry;
    /** Null until the assertion is decided. */
    private volatile JsonObject report;
    private CounterexampleList counterexamples;

    Assertion(Script script, AssertionPick pick, JsonObject entry) {
        this.script = script;
        this.pick = pick;
        this.entry = entry;
    }

    /** The assertion with this entry, in the class of its kind. */
    static Assertion of(Script script, AssertionPick pick, JsonObject entry) {
        String kind = Texts.of(entry, "kind");
        switch (kind == null ? "" : kind) {
            case "refinement":
                return new RefinementAssertion(script, pick, entry);
            case "deadlock free":
                return new DeadlockFreeAssertion(script, pick, entry);
            case "divergence free":
                return new DivergenceFreeAssertion(script, pick, entry);
            case "deterministic":
                return new DeterministicAssertion(script, pick, entry);
            case "has trace":
                return new HasTraceAssertion(script, pick, entry);
            default:
                return new Assertion(script, pick, entry);
        }
    }

    /**
     * Decides the assertion. It is decided once, however often this is called. There is no limit
     * on time or states.
     *
     * @param canceller what may end the work, or null
     * @throws CancelledError if the canceller has ended the work
     * @throws InputFileError if the script is wrong in a way that shows only now
     * @throws Error if the assertion was left undecided, or is not supported
     */
    public synchronized void execute(Canceller canceller) {
        if (report != null) {
            return;
        }
        Request request = pick.to(script.about("check"));
        Answer answer = script.answered(request, canceller);
        JsonObject found = answer.result();
        String verdict = found.get("verdict").getAsString();
        if (verdict.equals("pass") || verdict.equals("fail")) {
            report = found;
            return;
        }
        if (canceller != null && canceller.cancelled()) {
            throw new CancelledError();
        }
        String message = Texts.of(found, "message");
        String reason = message == null ? answer.text() : message;
        throw verdict.equals("error") ? new InputFileError(reason) : new Error(reason);
    }

    /** True if the assertion holds. It has to be decided by {@link #execute} before. */
    public boolean passed() {
        return report().get("verdict").getAsString().equals("pass");
    }

    /**
     * What shows that the assertion fails; at most one counterexample. An assertion with {@code
     * not} that holds has one, too. It has to be decided by {@link #execute} before.
     */
    public synchronized CounterexampleList counterexamples() {
        if (counterexamples == null) {
            JsonElement found = report().get("counterexample");
            counterexamples = new CounterexampleList(found == null || found.isJsonNull()
                    ? List.of()
                    : List.of(new Division(this, found.getAsJsonObject()).counterexample()));
        }
        return counterexamples;
    }

    /** How much was searched, or null if the assertion is not decided yet. */
    public Progress progress() {
        return report == null ? null : new BFSRefinementProgress(report);
    }

    /** The assertion as CSPm, without {@code assert}. */
    @Override
    public String toString() {
        return entry.get("text").getAsString();
    }

    Script script() {
        return script;
    }

    /** A request about this assertion. */
    Request about(String method) {
        return pick.to(script.about(method));
    }

    /** A text of what is known of the assertion; null if it is absent. */
    String known(String key) {
        return Texts.of(entry, key);
    }

    SemanticModel modelOfAssertion() {
        String name = known("model");
        return name == null ? SemanticModel.Default : SemanticModel.of(name);
    }

    /** The machine of a process of the assertion. */
    Machine open(String process) {
        return new Machine(script, script.result(
                script.about("open").with("process", process), null));
    }

    private JsonObject report() {
        JsonObject found = report;
        if (found == null) {
            throw new Error("the assertion is not decided: call execute first");
        }
        return found;
    }
}
