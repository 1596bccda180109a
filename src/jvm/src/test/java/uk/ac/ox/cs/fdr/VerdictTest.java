package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Scripts of the repository have the verdicts that stand beside them. */
@RunWith(Parameterized.class)
public class VerdictTest {
    /** A script below {@code cspm}, without its ending. */
    @Parameter
    public String script;

    @Parameters(name = "{0}")
    public static String[] scripts() {
        return new String[] {
            "ferry/ferry", "language/operators", "language/termination", "timeout/timeout",
            "vending/vending",
        };
    }

    @Test
    public void verdictsAreAsExpected() throws IOException {
        Map<Integer, String> expected = expected(Path.of("cspm", script + ".expected"));
        assertFalse(script, expected.isEmpty());
        try (Session session = new Session()) {
            session.loadFile("cspm/" + script + ".csp");
            Map<Integer, String> found = new LinkedHashMap<>();
            for (int number : expected.keySet()) {
                Assertion assertion = session.assertions().get(number - 1);
                assertion.execute(null);
                found.put(number, assertion.passed() ? "pass" : "fail");
            }
            assertEquals(expected, found);
        }
    }

    /** The verdicts of the run without options, by the numbers of assertions. */
    private static Map<Integer, String> expected(Path file) throws IOException {
        Map<Integer, String> verdicts = new LinkedHashMap<>();
        boolean isPlain = false;
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ");
            if (line.startsWith("run") || line.startsWith("long run")) {
                isPlain = line.equals("run");
            } else if (isPlain && words.length > 1) {
                verdicts.put(Integer.valueOf(words[0]), words[1]);
            }
        }
        return verdicts;
    }
}
