package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sessions of texts, and what events of them are called. */
final class Sessions {
    private Sessions() {}

    /** A session of a script with these lines. */
    static Session of(String... lines) {
        Session session = new Session();
        session.loadStringsAsFile("test.csp", Map.of("test.csp", String.join("\n", lines)));
        return session;
    }

    /** The only assertion of a script with these lines, decided. */
    static Assertion decided(Session session) {
        Assertion assertion = session.assertions().get(0);
        assertion.execute(null);
        return assertion;
    }

    /** The events as texts; {@code -} where there is none. */
    static List<String> names(Session session, List<Long> events) {
        List<String> names = new ArrayList<>();
        for (long event : events) {
            names.add(event == fdr.INVALIDEVENT ? "-" : session.uncompileEvent(event).toString());
        }
        return names;
    }
}
