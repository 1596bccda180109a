package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.Test;

/** What sessions say of scripts and expressions. */
public class SessionTest {
    private static final String CHANNELS = "channel a, b\nchannel c : {0..2}";

    @Test
    public void expressionsHaveValuesAndTypes() {
        try (Session session = Sessions.of(CHANNELS, "N = 3")) {
            assertEquals("4", session.evaluateExpression("N + 1", null).result());
            assertEquals("{1, 2, 3}", session.evaluateExpression("{1..N}", null).result());
            assertEquals(List.of("c.0", "c.1", "c.2"),
                    session.evaluateIterableExpression("{|c|}", null).result());
            assertEquals(List.of("3", "1", "3"),
                    session.evaluateIterableExpression("<N, 1, N>", null).result());
            assertEquals("Int", session.typeOfExpression("N").result());
            assertThrows(InputFileError.class,
                    () -> session.evaluateIterableExpression("N", null));
            InputFileError wrong = assertThrows(InputFileError.class,
                    () -> session.evaluateExpression("N + M", null));
            assertTrue(wrong.getMessage(), wrong.getMessage().contains("M"));
        }
    }

    @Test
    public void aSessionWithoutAScriptKnowsWhatIsBuiltIn() {
        try (Session session = new Session()) {
            assertEquals("<0, 1, 2, 3>",
                    session.evaluateExpression("<0,1>^<2,3>", null).result());
            assertEquals(0, session.assertions().size());
        }
    }

    @Test
    public void scriptsThatCannotBeLoadedSayWhy() {
        FileLoadError missing = assertThrows(
                FileLoadError.class, () -> new Session().loadFile("no-such-file.csp"));
        assertEquals("no-such-file.csp", missing.fileName());
        FileLoadError wrong = assertThrows(
                FileLoadError.class, () -> Sessions.of("channel a", "P = a -> Q"));
        assertTrue(wrong.getMessage(), wrong.getMessage().startsWith("test.csp:2:10: "));
        Session session = Sessions.of(CHANNELS);
        assertThrows(Error.class, () -> session.loadFile("cspm/ferry/ferry.csp"));
    }

    @Test
    public void includesAreReadFromTheTexts() {
        Session session = new Session();
        StringList warnings = session.loadStringsAsFile("main.csp", Map.of(
                "main.csp", "include \"part.csp\"\nassert P [T= P",
                "part.csp", "channel a\nP = a -> P"));
        assertEquals(List.of(), warnings);
        assertTrue(Sessions.decided(session).passed());
    }

    @Test
    public void printsAreListed() {
        try (Session session = Sessions.of(CHANNELS, "print card(Events)", "print {1..2}")) {
            PrintStatementList prints = session.printStatements();
            assertEquals(2, prints.size());
            assertEquals("card(Events)", prints.get(0).expression());
            assertEquals("test.csp:3:1", prints.get(0).sourceLocation());
            assertEquals("5",
                    session.evaluateExpression(prints.get(0).expression(), null).result());
        }
    }

    @Test
    public void eventsHaveNumbers() {
        try (Session session = Sessions.of(CHANNELS)) {
            long number = session.compileEvent("c.1+1", null).result();
            Event event = session.uncompileEvent(number);
            assertEquals("c.2", event.toString());
            assertEquals(number, session.compileEvent("c.2", null).result());
            assertEquals(number, session.compileEvent(event));
            assertNotEquals(number, session.compileEvent("a", null).result());
            assertEquals("τ", session.uncompileEvent(fdr.TAU).toString());
            assertEquals("✓", session.uncompileEvent(2).toString());
            for (String wrong : List.of("c", "c.7", "d", "3")) {
                assertThrows(wrong, InputFileError.class,
                        () -> session.compileEvent(wrong, null));
            }
            assertThrows(Error.class, () -> session.uncompileEvent(fdr.INVALIDEVENT));
            assertThrows(Error.class, () -> session.uncompileEvent(1_000_000));
        }
    }

    @Test
    public void assertionsAreReadAndHaveTheirClasses() {
        try (Session session = Sessions.of(CHANNELS, "P = a -> P")) {
            Map<String, Class<?>> classes = Map.of(
                    "P [FD= STOP", RefinementAssertion.class,
                    "P :[deadlock free [F]]", DeadlockFreeAssertion.class,
                    "P :[divergence free]", DivergenceFreeAssertion.class,
                    "P :[deterministic [FD]]", DeterministicAssertion.class,
                    "P :[has trace]: <a, b>", HasTraceAssertion.class);
            classes.forEach((text, kind) -> {
                Assertion assertion = session.parseAssertion(text).result();
                assertEquals(text, kind, assertion.getClass());
                assertEquals(text, assertion.toString());
                assertThrows(Error.class, assertion::passed);
                assertEquals(null, assertion.progress());
                assertion.execute(null);
                assertEquals(text, !text.contains("STOP") && !text.contains("trace"),
                        assertion.passed());
            });
            RefinementAssertion refinement =
                    (RefinementAssertion) session.parseAssertion("P [FD= STOP").result();
            assertEquals(SemanticModel.FailuresDivergences, refinement.model());
            assertEquals("P", session.machineName(refinement.specification()).toString());
            assertEquals("STOP", session.machineName(refinement.implementation()).toString());
            assertThrows(InputFileError.class, () -> session.parseAssertion("P [T= Q"));
        }
    }

    @Test
    public void negatedAssertionsHoldWithACounterexample() {
        try (Session session = Sessions.of(CHANNELS, "assert not a -> STOP [T= b -> STOP")) {
            Assertion assertion = Sessions.decided(session);
            assertTrue(assertion.passed());
            assertTrue(assertion.toString(), assertion.toString().startsWith("not "));
            assertEquals(1, assertion.counterexamples().size());
        }
    }

    @Test
    public void theLibraryBeginsAnewAfterItsEnd() {
        assertTrue(fdr.hasValidLicense());
        assertTrue(fdr.version(), fdr.version().startsWith("cspsym "));
        Session before = Sessions.of(CHANNELS, "assert a -> STOP [T= b -> STOP");
        Assertion decided = Sessions.decided(before);
        fdr.libraryExit();
        assertEquals(1, decided.counterexamples().size());
        Error ended = assertThrows(Error.class, () -> before.evaluateExpression("1", null));
        assertTrue(ended.getMessage(), ended.getMessage().contains("closed"));
        fdr.libraryInit();
        try (Session after = Sessions.of(CHANNELS)) {
            assertEquals("1", after.evaluateExpression("1", null).result());
        }
    }
}
