package uk.ac.ox.cs.fdr;

import cspsym.client.Program;
import cspsym.client.ProgramException;
import cspsym.client.ProgramFinder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The one process of the program that all sessions share. */
final class Library {
    /** Null until it is needed. */
    private static Program program;

    private Library() {}

    /** The running program, which is started if there is none. */
    static synchronized Program program() {
        if (program == null || program.hasEnded()) {
            try {
                program = Program.start(List.of(ProgramFinder.find()));
            } catch (ProgramException reason) {
                throw new Error(reason.getMessage(), reason);
            }
        }
        return program;
    }

    static synchronized void exit() {
        if (program != null) {
            program.close();
            program = null;
        }
    }

    static String version() {
        String file = ProgramFinder.find();
        try {
            Process process =
                    new ProcessBuilder(file, "--version").redirectErrorStream(true).start();
            process.getOutputStream().close();
            InputStreamReader bytes =
                    new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
            try (BufferedReader lines = new BufferedReader(bytes)) {
                String line = lines.readLine();
                return line == null ? "" : line;
            }
        } catch (IOException reason) {
            throw new Error("cannot start " + file, reason);
        }
    }
}
