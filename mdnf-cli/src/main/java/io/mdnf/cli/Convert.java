package io.mdnf.cli;

import io.mdnf.bn.NetworkFormat;
import io.mdnf.bn.NetworkSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mdnf convert}: a Bayesian network from one kind of file to another. */
@Command(name = "convert", footer = {"  mdnf convert asia asia.uai", "  mdnf convert clinic.net clinic.xml"},
        description = {"Convert a Bayesian network between BIF, XMLBIF, Hugin and UAI files, every number to the last "
            + "bit.", "A UAI file has no names: from it, variable i is called xi and its states 0, 1 and so on."})
final class Convert implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "FROM", completionCandidates = Completion.Networks.class,
            description = "A built-in network or a file, BIF, XMLBIF, Hugin or UAI, whatever its name.")
    private String from;

    @Parameters(index = "1", paramLabel = "TO", converter = FileToWrite.class,
            description = "The file to write, in the format that its name says: bif, xml (XMLBIF), net (Hugin) or uai.")
    private Path to;

    @Override
    public Integer call() throws IOException {
        NetworkFormat format = format("convert", to);
        format.write(UsageProblem.ifRefused(() -> NetworkSource.open(from)), to);
        return 0;
    }

    /** The kind of file that a name asks for. */
    static NetworkFormat format(String option, Path file) {
        return NetworkFormat.named(file).filter(kind -> !file.toString().endsWith(".gz"))
                .orElseThrow(() -> new UsageProblem(option + " " + file + ": the name must end in .bif, .xml, .net or "
                        + ".uai"));
    }
}
