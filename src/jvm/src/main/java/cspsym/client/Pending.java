package cspsym.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A request that was sent, and whose answer may not be there yet. */
public final class Pending {
    private final Program program;
    private final long id;
    private final CompletableFuture<Answer> answer;

    Pending(Program program, long id, CompletableFuture<Answer> answer) {
        this.program = program;
        this.id = id;
        this.answer = answer;
    }

    /** Waits for the answer. */
    public Answer await() throws InterruptedException, ProgramException {
        try {
            return answer.get();
        } catch (ExecutionException failure) {
            // Each thread that waits gets a trace of its own.
            throw new ProgramException(failure.getCause().getMessage(), failure.getCause());
        }
    }

    /** Asks the program to end the work. The answer then has what is known by then. */
    public void stop() {
        program.tell(new Request("stop").with("stops", id));
    }
}
