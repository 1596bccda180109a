package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import cspsym.client.ProgramFinder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Counterexamples are divided here as {@code cspsym refines} divides them. */
@RunWith(Parameterized.class)
public class RefinesTest {
    /** A script. */
    @Parameter
    public String script;

    @Parameters(name = "{0}")
    public static String[] scripts() {
        return new String[] {
            "cspm/ferry/ferry.csp", "cspm/language/termination.csp", "cspm/timeout/timeout.csp",
            "cspm/vending/vending.csp", "tests/refines/kinds.csp",
        };
    }

    @Test
    public void behavioursAreTheSame() throws IOException {
        JsonObject document = refines();
        JsonArray results = document.getAsJsonArray("results");
        JsonObject events = document.getAsJsonObject("event_map");
        int compared = 0;
        try (Session session = new Session()) {
            session.loadFile(script);
            for (int index = 0; index < results.size(); index++) {
                JsonObject result = results.get(index).getAsJsonObject();
                JsonElement found = result.get("counterexamples");
                if (!result.has("result") || found == null || found.getAsJsonArray().isEmpty()) {
                    continue;
                }
                JsonObject counterexample = found.getAsJsonArray().get(0).getAsJsonObject();
                Assertion assertion = session.assertions().get(index);
                assertion.execute(null);
                assertEquals(
                        text(counterexample.getAsJsonObject("implementation_behaviour"), events),
                        text(session, implementation(assertion.counterexamples().get(0))));
                compared++;
            }
        }
        assertTrue(script + " has no counterexample", compared > 0);
    }

    private JsonObject refines() throws IOException {
        Process process = new ProcessBuilder(ProgramFinder.find(), "refines", "--format", "json",
                "--quiet", "--divide", "--reveal-taus", script)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String text = new String(
                process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static Behaviour implementation(Counterexample counterexample) {
        return counterexample instanceof PropertyCounterexample
                ? ((PropertyCounterexample) counterexample).behaviour()
                : ((RefinementCounterexample) counterexample).implementationBehaviour();
    }

    /** A behaviour of {@code refines}, in words. */
    private static String text(JsonObject behaviour, JsonObject events) {
        String type = behaviour.get("type").getAsString();
        if (type.equals("segmented")) {
            String text = type;
            for (JsonElement section : behaviour.getAsJsonArray("prior_sections")) {
                JsonObject object = section.getAsJsonObject();
                text += " " + names(object.get("trace"), events)
                        + names(object.get("acceptance"), events);
            }
            JsonObject last = behaviour.getAsJsonObject("last");
            last.add("trace", behaviour.get("trace"));
            return text + " " + text(last, events);
        }
        String text = type + " " + names(behaviour.get("trace"), events);
        if (behaviour.has("error_event")) {
            text += " " + events.get(behaviour.get("error_event").getAsString()).getAsString();
        }
        if (behaviour.has("acceptance")) {
            text += " " + names(behaviour.get("acceptance"), events);
        }
        if (behaviour.has("loop_index")) {
            text += " " + behaviour.get("loop_index").getAsInt();
        }
        return text;
    }

    private static List<String> names(JsonElement numbers, JsonObject events) {
        List<String> names = new ArrayList<>();
        for (JsonElement number : numbers.getAsJsonArray()) {
            names.add(events.get(number.getAsString()).getAsString());
        }
        return names;
    }

    /** A behaviour of the jar, in the same words. */
    private static String text(Session session, Behaviour behaviour) {
        List<String> trace = Sessions.names(session, behaviour.trace());
        if (behaviour instanceof SegmentedBehaviour) {
            String text = "segmented";
            for (TraceBehaviour section : ((SegmentedBehaviour) behaviour).priorSections()) {
                text += " " + Sessions.names(session, section.trace())
                        + Sessions.names(session, section.restAcceptance());
            }
            return text + " " + text(session, ((SegmentedBehaviour) behaviour).last());
        }
        if (behaviour instanceof TraceBehaviour) {
            long event = ((TraceBehaviour) behaviour).errorEvent();
            return "trace " + trace + " " + session.uncompileEvent(event);
        }
        if (behaviour instanceof MinAcceptanceBehaviour) {
            List<Long> offers = ((MinAcceptanceBehaviour) behaviour).minAcceptance();
            return "min_acceptance " + trace + " " + Sessions.names(session, offers);
        }
        if (behaviour instanceof LoopBehaviour) {
            return "loop " + trace + " " + ((LoopBehaviour) behaviour).loopIndex();
        }
        return (behaviour instanceof ExplicitDivergenceBehaviour
                ? "explicit_divergence " : "irrepeatable ") + trace;
    }
}
