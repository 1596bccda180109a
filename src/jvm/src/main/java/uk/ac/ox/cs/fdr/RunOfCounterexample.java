package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The nodes along the counterexample of an assertion, which are asked for when they are needed. */
final class RunOfCounterexample {
    private final Assertion assertion;
    private final int events;
    /** Null until it is needed. */
    private OpenedNodes opened;
    private Machine machine;
    private List<Node> nodes;

    /** The run of the assertion's counterexample, whose trace has so many events. */
    RunOfCounterexample(Assertion assertion, int events) {
        this.assertion = assertion;
        this.events = events;
    }

    Path path() {
        return new Path(this::machine, this::nodes);
    }

    private synchronized Machine machine() {
        open();
        return machine;
    }

    private synchronized List<Node> nodes() {
        open();
        return nodes;
    }

    private void open() {
        if (opened != null) {
            return;
        }
        JsonObject run = assertion.script().result(assertion.about("run"), null);
        OpenedNodes found = new OpenedNodes(assertion.script(), run);
        List<Node> path = new ArrayList<>();
        path.add(found.root());
        for (JsonElement step : run.getAsJsonArray("path")) {
            // The step that is wrong is the last one there, and none of the trace.
            if (path.size() <= events) {
                path.add(found.node(step.getAsJsonObject().get("to").getAsLong()));
            }
        }
        path.addAll(Collections.nCopies(events + 1 - path.size(), null));
        nodes = Collections.unmodifiableList(path);
        machine = new Machine(found);
        opened = found;
    }
}
