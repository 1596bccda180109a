package cspsym.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;

/** A request of {@code cspsym api}, as {@code cspsym help requests} has them. */
public final class Request {
    private final JsonObject keys = new JsonObject();

    /** A request of this method without other keys. */
    public Request(String method) {
        keys.addProperty("method", method);
    }

    /** Adds a key with a text. */
    public Request with(String key, String value) {
        keys.addProperty(key, value);
        return this;
    }

    /** Adds a key with a number. */
    public Request with(String key, long value) {
        keys.addProperty(key, value);
        return this;
    }

    /** Adds a key with texts by their names. */
    public Request with(String key, Map<String, String> texts) {
        JsonObject object = new JsonObject();
        texts.forEach(object::addProperty);
        keys.add(key, object);
        return this;
    }

    /** Adds a key with a value that was read. */
    public Request with(String key, JsonElement value) {
        keys.add(key, value);
        return this;
    }

    /**
     * Takes away every limit on time and states that the program sets by itself. The program tells
     * how far it is, by which it notices that nobody listens any more, and ends.
     */
    public Request unlimited() {
        keys.addProperty("unlimited", true);
        keys.addProperty("progress", true);
        return this;
    }

    /** The request as a line, with the id by which its answer is known. */
    String line(long id) {
        JsonObject whole = new JsonObject();
        whole.addProperty("id", id);
        keys.entrySet().forEach(key -> whole.add(key.getKey(), key.getValue()));
        return whole + "\n";
    }
}
