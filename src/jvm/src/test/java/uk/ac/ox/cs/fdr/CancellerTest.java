package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import cspsym.client.Pending;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.Test;

/** Work that is ended by others, and work of several threads. */
public class CancellerTest {
    /** A check that has far too many states to come to an end. */
    private static final String[] ENDLESS = {
        "N = 40",
        "channel up, down : {1..N}",
        "COUNTER(i, n) = (if n < i + 2 then up.i -> COUNTER(i, n + 1) else STOP)",
        "                [] (if n > 0 then down.i -> COUNTER(i, n - 1) else STOP)",
        "SYSTEM = ||| i : {1..N} @ COUNTER(i, 0)",
        "EVEN = up?i -> ODD [] down?i -> ODD",
        "ODD = up?i -> EVEN [] down?i -> EVEN",
        "assert EVEN [T= SYSTEM",
    };

    @Test
    public void whatIsCancelledBeforeIsNotBegun() {
        try (Session session = Sessions.of(ENDLESS)) {
            Canceller canceller = new Canceller();
            assertFalse(canceller.cancelled());
            canceller.cancel();
            assertTrue(canceller.cancelled());
            Assertion endless = session.assertions().get(0);
            assertThrows(CancelledError.class, () -> endless.execute(canceller));
            assertThrows(CancelledError.class,
                    () -> session.evaluateExpression("N", canceller));
        }
    }

    @Test
    public void aCheckThatRunsIsEnded() throws Exception {
        try (Session session = Sessions.of(ENDLESS)) {
            Assertion endless = session.assertions().get(0);
            WatchedCanceller canceller = new WatchedCanceller();
            FutureTask<Void> check = new FutureTask<>(() -> endless.execute(canceller), null);
            new Thread(check).start();
            canceller.begun.await();
            canceller.cancel();
            ExecutionException ended = assertThrows(ExecutionException.class, check::get);
            assertEquals(CancelledError.class, ended.getCause().getClass());
            assertThrows(Error.class, endless::passed);
            assertEquals("40", session.evaluateExpression("N", null).result());
        }
    }

    @Test
    public void anInterruptEndsACheck() throws Exception {
        try (Session session = Sessions.of(ENDLESS)) {
            Assertion endless = session.assertions().get(0);
            WatchedCanceller canceller = new WatchedCanceller();
            FutureTask<Boolean> check = new FutureTask<>(() -> {
                assertThrows(CancelledError.class, () -> endless.execute(canceller));
                return Thread.currentThread().isInterrupted();
            });
            Thread thread = new Thread(check);
            thread.start();
            canceller.begun.await();
            thread.interrupt();
            assertTrue(check.get());
            assertEquals("40", session.evaluateExpression("N", null).result());
        }
    }

    @Test
    public void threadsShareASession() throws Exception {
        try (Session session = new Session()) {
            session.loadFile("cspm/ferry/ferry.csp");
            List<FutureTask<List<Boolean>>> all = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                FutureTask<List<Boolean>> task = new FutureTask<>(() -> {
                    List<Boolean> verdicts = new ArrayList<>();
                    for (Assertion assertion : session.assertions()) {
                        assertion.execute(null);
                        verdicts.add(assertion.passed());
                    }
                    return verdicts;
                });
                all.add(task);
                new Thread(task).start();
            }
            for (FutureTask<List<Boolean>> task : all) {
                assertEquals(all.get(0).get(), task.get());
            }
        }
    }

    /** A canceller that tells when work has begun. */
    private static final class WatchedCanceller extends Canceller {
        final CountDownLatch begun = new CountDownLatch(1);

        @Override
        synchronized void begin(Pending work) {
            super.begin(work);
            begun.countDown();
        }
    }
}
