package uk.ac.ox.cs.fdr;

import com.google.gson.JsonObject;
import cspsym.client.Answer;
import cspsym.client.Pending;
import cspsym.client.Program;
import cspsym.client.ProgramException;
import cspsym.client.Request;
import java.lang.ref.Cleaner;
import java.util.Map;

/** A script that the program has read, and keeps as it was then. */
final class Script implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Program program;
    private final long number;
    private final Answer loaded;
    private final Cleaner.Cleanable memory;
    private final EventTable events = new EventTable();
    private volatile boolean isClosed;

    private Script(Program program, Answer loaded) {
        this.program = program;
        this.loaded = loaded;
        number = loaded.result().get("script").getAsLong();
        memory = CLEANER.register(this, closing(program, "script", number));
    }

    /** Reads a file, or a text of {@code texts} with its name. */
    static Script load(String file, Map<String, String> texts) {
        Program program = Library.program();
        Request request = new Request("load").with("file", file);
        if (!texts.isEmpty()) {
            request.with("files", texts);
        }
        Answer answer = answer(program, request.unlimited(), null);
        if (answer.result() == null) {
            throw new FileLoadError(file, answer.text());
        }
        return new Script(program, answer);
    }

    /** What the program has said of the script when it read it. */
    Answer loaded() {
        return loaded;
    }

    EventTable events() {
        return events;
    }

    /** A request about this script. */
    Request about(String method) {
        if (isClosed) {
            throw new Error("the session is closed");
        }
        return new Request(method).with("script", number).unlimited();
    }

    /** A request about something of this script that the program has opened. */
    Request about(String method, String kind, long opened) {
        return new Request(method).with(kind, opened).unlimited();
    }

    /** The result of a request; without one, an error with the program's words. */
    JsonObject result(Request request, Canceller canceller) {
        return answered(request, canceller).result();
    }

    /** The answer to a request, which has a result; without one, an error. */
    Answer answered(Request request, Canceller canceller) {
        Answer answer = answer(program, request, canceller);
        if (answer.result() == null) {
            if (canceller != null && canceller.cancelled()) {
                throw new CancelledError();
            }
            throw answer.isUndecided()
                    ? new Error(answer.text())
                    : new InputFileError(answer.text());
        }
        return answer;
    }

    /** Has the program close the machine once its owner can no longer be reached. */
    void closeMachine(Object owner, long machine) {
        CLEANER.register(owner, closing(program, "machine", machine));
    }

    /** Frees the memory that the program keeps for the script. */
    @Override
    public void close() {
        isClosed = true;
        memory.clean();
    }

    /** The work that frees memory of the program. It must not know the object that it is about. */
    private static Runnable closing(Program program, String kind, long number) {
        return () -> program.tellAtLeisure(new Request("close").with(kind, number));
    }

    private static Answer answer(Program program, Request request, Canceller canceller) {
        if (canceller != null && canceller.cancelled()) {
            throw new CancelledError();
        }
        try {
            Pending pending = program.send(request);
            if (canceller != null) {
                canceller.begin(pending);
            }
            try {
                return pending.await();
            } catch (InterruptedException reason) {
                pending.stop();
                Thread.currentThread().interrupt();
                throw new CancelledError();
            } finally {
                if (canceller != null) {
                    canceller.end(pending);
                }
            }
        } catch (ProgramException reason) {
            throw new Error(reason.getMessage(), reason);
        }
    }
}
