package uk.ac.ox.cs.fdr;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import cspsym.client.Answer;
import cspsym.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A script, its assertions, and the expressions that are evaluated in its scope.
 *
 * <p>A session stands for the script as it was when it was loaded, whatever happens to the file.
 * What it has compiled for one assertion serves the others.
 */
public class Session implements AutoCloseable {
    /** Null until something is loaded. */
    private Script script;
    private AssertionList assertions = new AssertionList(List.of());
    private PrintStatementList prints = new PrintStatementList(List.of());
    private boolean isLoaded;

    /** A session without a script: it knows what is built into CSPm. */
    public Session() {}

    /**
     * Loads a script, which a session does once.
     *
     * @return warnings about the script
     * @throws FileLoadError if there is no such file, or it has mistakes
     */
    public StringList loadFile(String filePath) {
        return load(filePath, Map.of());
    }

    /**
     * Loads a script from texts instead of files.
     *
     * @param rootFilePath the name of the script among the texts
     * @param fileContents the texts of the script and of what it includes, by their names
     * @return warnings about the script
     * @throws FileLoadError if the script has mistakes
     */
    public StringList loadStringsAsFile(String rootFilePath, Map<String, String> fileContents) {
        return load(rootFilePath, fileContents);
    }

    private synchronized StringList load(String file, Map<String, String> texts) {
        if (isLoaded) {
            throw new Error("this session has loaded a script already; make another session");
        }
        Script read = Script.load(file, texts);
        close();
        script = read;
        isLoaded = true;
        JsonObject result = read.loaded().result();
        List<Assertion> found = new ArrayList<>();
        for (JsonElement entry : result.getAsJsonArray("assertions")) {
            JsonObject assertion = entry.getAsJsonObject();
            long number = assertion.get("number").getAsLong();
            found.add(Assertion.of(read, new AssertionPick(number), assertion));
        }
        assertions = new AssertionList(found);
        prints = prints(result.getAsJsonArray("prints"));
        return new StringList(read.loaded().warnings());
    }

    private static PrintStatementList prints(JsonArray entries) {
        List<PrintStatement> found = new ArrayList<>();
        // The key is absent where there are none.
        for (JsonElement entry : entries == null ? new JsonArray() : entries) {
            JsonObject print = entry.getAsJsonObject();
            String place = Answer.place(print.getAsJsonObject("place"));
            found.add(new PrintStatement(print.get("text").getAsString(), place));
        }
        return new PrintStatementList(found);
    }

    /** The assertions of the script, in their order. */
    public synchronized AssertionList assertions() {
        return assertions;
    }

    /** The print statements of the script, in their order. */
    public synchronized PrintStatementList printStatements() {
        return prints;
    }

    /**
     * Evaluates an expression.
     *
     * @param canceller what may end the work, or null
     * @return its value, as CSPm
     * @throws InputFileError if it has mistakes or no value
     */
    public StringEvaluatorResult evaluateExpression(String expression, Canceller canceller) {
        Request request = script().about("evaluate").with("expression", expression);
        Answer answer = script().answered(request, canceller);
        String value = answer.result().get("value").getAsString();
        return new StringEvaluatorResult(value, answer.warnings());
    }

    /**
     * Evaluates a set or a sequence.
     *
     * @param canceller what may end the work, or null
     * @return its elements, each as CSPm
     * @throws InputFileError if the expression has mistakes, or is something else
     */
    public StringListEvaluatorResult evaluateIterableExpression(
            String expression, Canceller canceller) {
        Request request = script().about("evaluate").with("expression", expression);
        Answer answer = script().answered(request, canceller);
        JsonElement elements = answer.result().get("elements");
        if (elements == null || elements.isJsonNull()) {
            throw new InputFileError(expression + " is no set and no sequence");
        }
        return new StringListEvaluatorResult(
                new StringList(Texts.of(elements)), answer.warnings());
    }

    /**
     * Makes a machine of a process. Its nodes are found as they are asked for.
     *
     * @param model has no effect: the transitions are the same in all models
     * @param canceller what may end the work, or null
     * @throws InputFileError if the expression has mistakes, or is no process
     */
    public MachineEvaluatorResult evaluateProcess(
            String expression, SemanticModel model, Canceller canceller) {
        Script script = script();
        Request request = script.about("open").with("process", expression);
        Answer answer = script.answered(request, canceller);
        Machine machine = new Machine(script, answer.result());
        return new MachineEvaluatorResult(machine, answer.warnings());
    }

    /**
     * Reads an assertion, such as {@code P [T= Q}, without deciding it.
     *
     * @throws InputFileError if it has mistakes
     */
    public AssertionEvaluatorResult parseAssertion(String assertion) {
        Request request = script().about("assertion").with("asserted", assertion);
        Answer answer = script().answered(request, null);
        Assertion read = Assertion.of(script(), new AssertionPick(assertion), answer.result());
        return new AssertionEvaluatorResult(read, answer.warnings());
    }

    /** The type of an expression, as CSPm. */
    public StringEvaluatorResult typeOfExpression(String expression) {
        Request request = script().about("type").with("expression", expression);
        Answer answer = script().answered(request, null);
        return new StringEvaluatorResult(
                answer.result().get("type").getAsString(), answer.warnings());
    }

    /**
     * The number of an event that is given as CSPm.
     *
     * @throws InputFileError if it is no event of the script
     */
    public CompiledEventEvaluatorResult compileEvent(String event, Canceller canceller) {
        String only = "{e__ | e__ <- {" + event + "}, member(e__, Events)}";
        StringListEvaluatorResult found = evaluateIterableExpression(only, canceller);
        if (found.result().size() != 1) {
            throw new InputFileError(event + " is no event of the script");
        }
        long number = script().events().number(found.result().get(0));
        return new CompiledEventEvaluatorResult(number, found.warnings());
    }

    /** The number of an event. */
    public long compileEvent(Event event) {
        return script().events().number(event.toString());
    }

    /** The event that has this number; not that of {@link fdr#INVALIDEVENT}, which is none. */
    public Event uncompileEvent(long event) {
        return script().events().event(event);
    }

    /** The events that have these numbers. */
    public EventList uncompileEvents(CompiledEventList events) {
        List<Event> found = new ArrayList<>();
        events.forEach(event -> found.add(uncompileEvent(event)));
        return new EventList(found);
    }

    /** The process that the machine was made of, or null if it is not known. */
    public ProcessName machineName(Machine machine) {
        return machine.name();
    }

    /** What the process has become in this node, or null if it is not known. */
    public ProcessName machineNodeName(Machine machine, Node node) {
        return machine.name(node);
    }

    /** Frees what cspsym keeps for the session. Machines of it stay open. */
    @Override
    public synchronized void close() {
        if (script != null) {
            script.close();
        }
    }

    /** The same as {@link #close}. */
    public void delete() {
        close();
    }

    private synchronized Script script() {
        if (script == null) {
            script = Script.load("empty.csp", Map.of("empty.csp", ""));
        }
        return script;
    }
}
