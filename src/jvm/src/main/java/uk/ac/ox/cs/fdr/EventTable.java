package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers that the events of a session have. They are given as events are met. */
final class EventTable {
    /** The text of the internal event. */
    static final String TAU = "τ";

    private final List<Event> events = new ArrayList<>();
    private final Map<String, Long> numbers = new HashMap<>();

    EventTable() {
        events.add(null);
        number(TAU);
        number("✓");
    }

    /** The number of an event by its text. */
    synchronized long number(String text) {
        return numbers.computeIfAbsent(text, event -> {
            events.add(new Event(event));
            return (long) events.size() - 1;
        });
    }

    /** The number of a step: {@code τ (a.1)} is an internal one behind which an event is hidden. */
    long numberOfStep(String text) {
        return number(text.startsWith(TAU) ? TAU : text);
    }

    CompiledEventList numbers(Collection<String> texts) {
        List<Long> found = new ArrayList<>();
        texts.forEach(text -> found.add(numberOfStep(text)));
        return new CompiledEventList(found);
    }

    synchronized Event event(long number) {
        if (number <= 0 || number >= events.size()) {
            throw new Error("no event of this session has the number " + number);
        }
        return events.get((int) number);
    }
}
