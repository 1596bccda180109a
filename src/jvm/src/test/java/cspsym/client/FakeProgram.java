package cspsym.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program that answers as its tests need it, each method in a way of its own. */
final class FakeProgram {
    private FakeProgram() {}

    /** The call that starts it. */
    static List<String> call() {
        String java = System.getProperty("java.home") + "/bin/java";
        String path = System.getProperty("java.class.path");
        return List.of(java, "-cp", path, FakeProgram.class.getName());
    }

    /** Answers requests until there are no more. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8));
        JsonObject kept = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject request = JsonParser.parseString(line).getAsJsonObject();
            switch (request.get("method").getAsString()) {
                case "later":
                    kept = request;
                    break;
                case "echo":
                    answer(out, request);
                    if (kept != null) {
                        answer(out, kept);
                        kept = null;
                    }
                    break;
                case "die":
                    System.err.println("out of luck");
                    System.exit(7);
                    break;
                case "garbage":
                    out.println("hello");
                    break;
                default:
                    // It is never answered.
            }
        }
    }

    private static void answer(PrintStream out, JsonObject request) {
        JsonObject news = new JsonObject();
        news.add("id", request.get("id"));
        news.add("progress", new JsonObject());
        out.println(news);
        JsonObject answer = new JsonObject();
        answer.add("id", request.get("id"));
        answer.add("result", request);
        answer.add("problems", new JsonArray());
        out.println(answer);
    }
}
