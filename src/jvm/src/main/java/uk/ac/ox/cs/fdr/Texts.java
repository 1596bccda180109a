package uk.ac.ox.cs.fdr;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Texts of JSON, which may be absent. */
final class Texts {
    private Texts() {}

    /** A text, or null if it is absent. */
    static String of(JsonObject object, String key) {
        JsonElement value = object.get(key);
        return value == null || value.isJsonNull() ? null : value.getAsString();
    }

    /** A list of texts, which is empty if it is absent. */
    static List<String> of(JsonElement list) {
        List<String> texts = new ArrayList<>();
        if (list != null && !list.isJsonNull()) {
            list.getAsJsonArray().forEach(text -> texts.add(text.getAsString()));
        }
        return texts;
    }
}
