package cspsym.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The process that answers, and what is said when it does not. */
public class ProgramTest {
    private Program program;

    @Before
    public void start() throws ProgramException {
        program = Program.start(FakeProgram.call());
    }

    @After
    public void close() {
        program.close();
    }

    @Test
    public void answersFindTheirRequestsInAnyOrder() throws Exception {
        Pending later = program.send(new Request("later").with("text", "τ and \"more\"\n"));
        Pending now = program.send(new Request("echo").with("text", "now"));
        assertEquals("τ and \"more\"\n", text(later));
        assertEquals("now", text(now));
    }

    @Test
    public void manyThreadsAskAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<String>> answers = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            String sent = "text " + number;
            answers.add(threads.submit(
                    () -> text(program.send(new Request("echo").with("text", sent)))));
        }
        for (int number = 0; number < 200; number++) {
            assertEquals("text " + number, answers.get(number).get());
        }
        threads.shutdown();
    }

    @Test
    public void whatHasTimeWaitsForAnswers() throws Exception {
        Pending later = program.send(new Request("later").with("text", "first"));
        program.tellAtLeisure(new Request("die"));
        // If that had been sent, there would be no answers.
        assertEquals("second", text(program.send(new Request("echo").with("text", "second"))));
        assertEquals("first", text(later));
        Pending last = program.send(new Request("echo").with("text", "third"));
        assertThrows(ProgramException.class, last::await);
    }

    @Test
    public void itsEndIsToldWithItsLastWords() throws Exception {
        Pending never = program.send(new Request("never"));
        Pending die = program.send(new Request("die"));
        for (Pending pending : List.of(never, die)) {
            ProgramException told = assertThrows(ProgramException.class, pending::await);
            assertEquals("cspsym api has ended with exit status 7: out of luck",
                    told.getMessage());
        }
        assertTrue(program.hasEnded());
        ProgramException told =
                assertThrows(ProgramException.class, () -> program.send(new Request("echo")));
        assertTrue(told.getMessage(), told.getMessage().contains("out of luck"));
    }

    @Test
    public void whatIsNoJsonIsRefused() throws Exception {
        Pending garbage = program.send(new Request("garbage"));
        ProgramException told = assertThrows(ProgramException.class, garbage::await);
        assertTrue(told.getMessage(), told.getMessage().contains("something else than JSON"));
    }

    @Test
    public void closingWakesWhoWaits() throws Exception {
        Pending never = program.send(new Request("never"));
        assertFalse(program.hasEnded());
        program.close();
        ProgramException told = assertThrows(ProgramException.class, never::await);
        assertEquals("cspsym was closed", told.getMessage());
    }

    @Test
    public void aProgramThatIsNotThereIsNamed() {
        ProgramException told = assertThrows(
                ProgramException.class, () -> Program.start(List.of("/no/such/program")));
        assertTrue(told.getMessage(), told.getMessage().contains("/no/such/program"));
        assertTrue(told.getMessage(), told.getMessage().contains("CSPSYM"));
    }

    private static String text(Pending pending) throws Exception {
        return pending.await().result().get("text").getAsString();
    }
}
