package cspsym.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A running {@code cspsym api}. Many threads may send requests to it at the same time; each answer
 * is taken to the thread that waits for it by its id.
 */
public final class Program implements AutoCloseable {
    private final Process process;
    private final Writer requests;
    private final Tail errors;
    private final Thread errorReader;
    private final Thread shutdown = new Thread(this::kill, "cspsym shutdown");
    private final Map<Long, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    /** What is to be sent once nothing is worked on. Guarded by this. */
    private final Deque<Request> leisure = new ArrayDeque<>();
    /** Why no more answers come; null while they do. Guarded by this. */
    private String end;

    private Program(Process process) {
        this.process = process;
        requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        errors = new Tail(process.getErrorStream());
        errorReader = started(errors, "cspsym errors");
        started(this::readAnswers, "cspsym answers");
        // What works on a request does not notice that nobody waits for it any more.
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    /** Starts the program: a file, and perhaps arguments before {@code api}. */
    public static Program start(List<String> call) throws ProgramException {
        List<String> command = new ArrayList<>(call);
        command.add("api");
        try {
            return new Program(new ProcessBuilder(command).start());
        } catch (IOException reason) {
            String hint = ": name it by the system property `cspsym.program`"
                    + " or the environment variable `CSPSYM`";
            throw new ProgramException("cannot start " + call.get(0) + hint, reason);
        }
    }

    /** Sends a request. */
    public Pending send(Request request) throws ProgramException {
        long id = lastId.incrementAndGet();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        synchronized (this) {
            if (end != null) {
                throw new ProgramException(end);
            }
            sendLeisure();
            open.put(id, answer);
            write(request.line(id));
        }
        return new Pending(this, id, answer);
    }

    /** Sends a request whose answer nobody waits for. Does nothing if the program has ended. */
    public synchronized void tell(Request request) {
        if (end == null) {
            write(request.line(lastId.incrementAndGet()));
        }
    }

    /**
     * Sends such a request when the program works on nothing. The program reads only so many
     * requests ahead, and has to see those that stop its work.
     */
    public synchronized void tellAtLeisure(Request request) {
        leisure.add(request);
        sendLeisure();
    }

    /** True if it gives no more answers. */
    public synchronized boolean hasEnded() {
        return end != null;
    }

    /** Ends the program, and whatever it works on. */
    @Override
    public void close() {
        ended("cspsym was closed");
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdown);
        } catch (IllegalStateException reason) {
            // The Java machine is ending: then the hook does no harm.
            return;
        }
    }

    private void sendLeisure() {
        while (open.isEmpty() && !leisure.isEmpty()) {
            tell(leisure.remove());
        }
    }

    private void kill() {
        process.destroyForcibly();
    }

    private void write(String line) {
        try {
            requests.write(line);
            requests.flush();
        } catch (IOException reason) {
            // It has ended. Who reads its answers notices, and knows more about the reason.
            return;
        }
    }

    private void readAnswers() {
        InputStreamReader bytes =
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        try (BufferedReader lines = new BufferedReader(bytes)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonObject object = JsonParser.parseString(line).getAsJsonObject();
                // Lines about work that goes on have no result.
                if (object.has("result")) {
                    CompletableFuture<Answer> answer = open.remove(object.get("id").getAsLong());
                    if (answer != null) {
                        answer.complete(new Answer(object));
                    }
                }
            }
            ended(endOfProcess());
        } catch (IOException | JsonParseException | IllegalStateException
                | UnsupportedOperationException reason) {
            kill();
            ended("cspsym api has answered something else than JSON: " + reason.getMessage());
        } catch (InterruptedException reason) {
            ended("the thread that reads the answers of cspsym was interrupted");
        }
    }

    private String endOfProcess() throws InterruptedException {
        int status = process.waitFor();
        errorReader.join();
        String said = errors.text();
        String text = "cspsym api has ended with exit status " + status;
        return said.isEmpty() ? text : text + ": " + said;
    }

    private void ended(String reason) {
        synchronized (this) {
            if (end == null) {
                end = reason;
            }
        }
        for (Long id : open.keySet()) {
            CompletableFuture<Answer> answer = open.remove(id);
            if (answer != null) {
                answer.completeExceptionally(new ProgramException(reason));
            }
        }
    }

    private static Thread started(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The last part of what a process says on its standard error. */
    private static final class Tail implements Runnable {
        private static final int LONGEST = 4_000;

        private final InputStream bytes;
        private final StringBuilder text = new StringBuilder();

        Tail(InputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public void run() {
            char[] buffer = new char[1_024];
            try (InputStreamReader said = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
                for (int read = said.read(buffer); read >= 0; read = said.read(buffer)) {
                    add(buffer, read);
                }
            } catch (IOException reason) {
                // The process was killed.
                return;
            }
        }

        private synchronized void add(char[] buffer, int length) {
            text.append(buffer, 0, length);
            text.delete(0, Math.max(0, text.length() - LONGEST));
        }

        synchronized String text() {
            return text.toString().trim();
        }
    }
}
