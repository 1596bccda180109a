package cspsym.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The answer to a request: a result, messages, or both. */
public final class Answer {
    private final JsonObject result;
    private final JsonArray problems;

    Answer(JsonObject line) {
        JsonElement given = line.get("result");
        result = given == null || given.isJsonNull() ? null : given.getAsJsonObject();
        JsonElement messages = line.get("problems");
        problems = messages == null ? new JsonArray() : messages.getAsJsonArray();
    }

    /** The result, or null if there is none: then {@link #text} says why. */
    public JsonObject result() {
        return result;
    }

    /** True if a message says that something was left undecided or is not supported. */
    public boolean isUndecided() {
        return has("undecided") && !has("error");
    }

    /** All messages, one below the other. */
    public String text() {
        List<String> texts = new ArrayList<>();
        problems.forEach(problem -> texts.add(text(problem.getAsJsonObject())));
        return String.join("\n", texts);
    }

    /** The warnings. */
    public List<String> warnings() {
        List<String> texts = new ArrayList<>();
        for (JsonElement problem : problems) {
            if (severity(problem).equals("warning")) {
                texts.add(text(problem.getAsJsonObject()));
            }
        }
        return texts;
    }

    private boolean has(String severity) {
        for (JsonElement problem : problems) {
            if (severity(problem).equals(severity)) {
                return true;
            }
        }
        return false;
    }

    private static String severity(JsonElement problem) {
        return problem.getAsJsonObject().get("severity").getAsString();
    }

    private static String text(JsonObject problem) {
        StringBuilder text = new StringBuilder();
        JsonArray places = problem.getAsJsonArray("places");
        if (places != null && !places.isEmpty()) {
            text.append(place(places.get(0).getAsJsonObject())).append(": ");
        }
        text.append(problem.get("message").getAsString());
        JsonElement hint = problem.get("hint");
        if (hint != null && !hint.isJsonNull()) {
            text.append(" (").append(hint.getAsString()).append(')');
        }
        return text.toString();
    }

    /** A place of a script, as {@code file:line:column}. */
    public static String place(JsonObject place) {
        String file = place.get("file").getAsString();
        return file + ":" + place.get("line").getAsInt() + ":" + place.get("column").getAsInt();
    }
}
