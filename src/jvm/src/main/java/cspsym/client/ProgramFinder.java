package cspsym.client;

import java.io.File;
import java.net.URISyntaxException;
import java.security.CodeSource;

/** Finds the program on this machine. */
public final class ProgramFinder {
    private ProgramFinder() {}

    /**
     * The program: what the system property {@code cspsym.program} or the environment variable
     * {@code CSPSYM} names, else {@code cspsym} beside the jar or in the folder {@code bin} beside
     * that of the jar, else {@code cspsym} in the search path.
     */
    public static String find() {
        String named = System.getProperty("cspsym.program", System.getenv("CSPSYM"));
        if (named != null && !named.isEmpty()) {
            return named;
        }
        File folder = folderOfJar();
        if (folder != null) {
            File[] places = {folder, new File(folder.getParentFile(), "bin")};
            for (File place : places) {
                for (String name : new String[] {"cspsym", "cspsym.exe"}) {
                    File program = new File(place, name);
                    if (program.isFile() && program.canExecute()) {
                        return program.getPath();
                    }
                }
            }
        }
        return "cspsym";
    }

    private static File folderOfJar() {
        CodeSource source = ProgramFinder.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            return null;
        }
        try {
            return new File(source.getLocation().toURI()).getAbsoluteFile().getParentFile();
        } catch (URISyntaxException | IllegalArgumentException reason) {
            // The classes were not loaded from a file.
            return null;
        }
    }
}
