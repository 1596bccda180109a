package cspsym.client;

import java.io.IOException;

/** Says that the program could not be started, has ended, or is closed. */
public final class ProgramException extends IOException {
    private static final long serialVersionUID = 1;

    ProgramException(String message) {
        super(message);
    }

    ProgramException(String message, Throwable cause) {
        super(message, cause);
    }
}
