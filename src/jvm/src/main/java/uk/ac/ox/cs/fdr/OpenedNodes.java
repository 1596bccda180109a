package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a machine that the program has opened. They are found as they are asked for. */
final class OpenedNodes implements NodeSource {
    /** How many nodes are kept here. The program keeps all; these save asking for them again. */
    private static final int MOST_KEPT = 10_000;

    private final Script script;
    private final long machine;
    private final String process;
    private final Node root;
    private final Map<Long, Met> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Met> eldest) {
            return size() > MOST_KEPT;
        }
    };

    OpenedNodes(Script script, JsonObject opened) {
        this.script = script;
        machine = opened.get("machine").getAsLong();
        process = opened.get("process").getAsString();
        root = new Node(this, 0);
        script.closeMachine(this, machine);
    }

    /** The node with this number. */
    Node node(long number) {
        return new Node(this, number);
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public Node root() {
        return root;
    }

    @Override
    public String term(Node node) {
        return met(node, null).term;
    }

    @Override
    public TransitionList transitions(Node node, Canceller canceller) {
        return met(node, canceller).transitions;
    }

    @Override
    public CompiledEventList alphabet() {
        JsonObject found =
                script.result(script.about("alphabet", "machine", machine), null);
        return script.events().numbers(Texts.of(found.get("events")));
    }

    private Met met(Node node, Canceller canceller) {
        synchronized (kept) {
            Met known = kept.get(node.number());
            if (known != null) {
                return known;
            }
        }
        JsonObject found = script.result(
                script.about("transitions", "machine", machine).with("node", node.number()),
                canceller);
        Met met = new Met(Texts.of(found, "term"), transitions(found));
        synchronized (kept) {
            kept.put(node.number(), met);
        }
        return met;
    }

    private TransitionList transitions(JsonObject found) {
        List<Transition> transitions = new ArrayList<>();
        for (JsonElement entry : found.getAsJsonArray("transitions")) {
            JsonObject transition = entry.getAsJsonObject();
            long event = script.events().numberOfStep(transition.get("label").getAsString());
            transitions.add(new Transition(event, node(transition.get("to").getAsLong())));
        }
        return new TransitionList(transitions);
    }

    /** What the program has said of a node. */
    private static final class Met {
        final String term;
        final TransitionList transitions;

        Met(String term, TransitionList transitions) {
            this.term = term;
            this.transitions = transitions;
        }
    }
}
