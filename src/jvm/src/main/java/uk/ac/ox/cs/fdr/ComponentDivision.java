package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The behaviours of the components of a process in a run of it. */
final class ComponentDivision {
    private final EventTable events;
    private final CompiledEventList whole;
    private final int length;
    private final int loop;
    private final boolean isAtRest;

    /**
     * The division of a run.
     *
     * @param whole its trace; a step of a component behind its end is the event that is wrong
     * @param loop from which event on it is repeated for ever; negative if it is not
     * @param isAtRest true if the process is at rest at its end
     */
    ComponentDivision(EventTable events, CompiledEventList whole, int loop, boolean isAtRest) {
        this.events = events;
        this.whole = whole;
        length = whole.size();
        this.loop = loop;
        this.isAtRest = isAtRest;
    }

    /**
     * The behaviours of the components of a report, which may be absent. There are none of a single
     * component that does just what the whole does.
     */
    List<Behaviour> of(JsonElement components) {
        List<Behaviour> behaviours = new ArrayList<>();
        if (components != null && !components.isJsonNull()) {
            components.getAsJsonArray()
                    .forEach(component -> behaviours.add(of(component.getAsJsonObject())));
        }
        boolean isWhole = behaviours.size() == 1 && behaviours.get(0).trace().equals(whole);
        return isWhole ? List.of() : behaviours;
    }

    private Behaviour of(JsonObject component) {
        List<Long> trace = new ArrayList<>(Collections.nCopies(length, (long) fdr.INVALIDEVENT));
        long wrong = fdr.INVALIDEVENT;
        boolean isInLoop = false;
        for (JsonElement entry : component.getAsJsonArray("steps")) {
            JsonObject step = entry.getAsJsonObject();
            // Steps are counted from 1.
            int index = step.get("step").getAsInt() - 1;
            long event = events.numberOfStep(step.get("event").getAsString());
            if (index < length) {
                trace.set(index, event);
                isInLoop |= loop >= 0 && index >= loop;
            } else {
                wrong = event;
            }
        }
        return ending(component, new CompiledEventList(trace), wrong, isInLoop);
    }

    private Behaviour ending(
            JsonObject component, CompiledEventList trace, long wrong, boolean isInLoop) {
        Path path = path(component, trace);
        if (wrong != fdr.INVALIDEVENT) {
            return new TraceBehaviour(path, trace, wrong);
        }
        if (isInLoop) {
            return new LoopBehaviour(path, trace, loop);
        }
        JsonElement offers = component.get("offers");
        if (isAtRest && offers != null && !offers.isJsonNull()) {
            return new MinAcceptanceBehaviour(path, trace, events.numbers(Texts.of(offers)));
        }
        return new IrrelevantBehaviour(path, trace);
    }

    /** The path of a component: it has a node at its start, and after each event that it does. */
    private Path path(JsonObject component, CompiledEventList trace) {
        String name = component.get("name").getAsString();
        List<String> states = new ArrayList<>(Collections.nCopies(length + 1, null));
        JsonElement changes = component.get("states");
        if (changes != null && !changes.isJsonNull()) {
            for (JsonElement entry : changes.getAsJsonArray()) {
                int step = entry.getAsJsonObject().get("step").getAsInt();
                // From there on it is in this state, until the next change.
                if (step <= length) {
                    String state = Texts.of(entry.getAsJsonObject(), "state");
                    Collections.fill(states.subList(step, length + 1), state);
                }
            }
        }
        ComponentNodes nodes = new ComponentNodes(name);
        List<Node> path = new ArrayList<>();
        for (int index = 0; index <= length; index++) {
            boolean takesPart = index == 0 || trace.get(index - 1) != fdr.INVALIDEVENT;
            String state = states.get(index);
            path.add(takesPart && state != null ? nodes.node(state) : null);
        }
        Machine machine = new Machine(nodes);
        return new Path(() -> machine, () -> path);
    }
}
