package io.mdnf.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program that runs the commands of a file, their words apart by tabs, one after the other; the first problem ends
 * it.
 */
final class ManyCommands {

    /** Printed after the answer of each command. */
    static final String END = "\u0004";

    private ManyCommands() {}

    /** The file. */
    public static void main(String[] args) throws IOException {
        PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (Main.run(out, err, line.split("\t")) != 0) {
                err.println("failed: mdnf " + line.replace('\t', ' '));
                System.exit(1);
            }
            out.print(END);
            out.flush();
        }
        System.exit(0);
    }
}
