package io.mdnf.cli;

import io.mdnf.bn.BifWriter;
import io.mdnf.bn.NetworkSource;
import io.mdnf.bn.UaiNetworks;
import io.mdnf.file.AtomicFiles;
import io.mdnf.uai.UaiReader;
import io.mdnf.uai.UaiWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mdnf convert}: a Bayesian network from one kind of file to the other. */
@Command(name = "convert", footer = {"  mdnf convert asia asia.uai", "  mdnf convert network.uai network.bif"},
        description = {"Convert a Bayesian network between BIF and UAI files, every number to the last bit.",
            "A UAI file has no names: from it, variable i is called xi and its states 0, 1 and so on."})
final class Convert implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "FROM", description = "A UAI file (.uai), a BIF file or a built-in network.")
    private String from;

    @Parameters(index = "1", paramLabel = "TO", description = "The file to write, .uai or .bif.")
    private Path to;

    @Override
    public Integer call() throws IOException {
        String name = to.getFileName().toString();
        if (name.endsWith(".uai") == from.endsWith(".uai") || !name.endsWith(".uai") && !name.endsWith(".bif")) {
            throw new UsageProblem("convert " + from + " " + to + ": one of both must end in .uai, the other in .bif");
        }
        String text = UaiCase.read(() -> name.endsWith(".uai")
                ? UaiWriter.model(UaiNetworks.model(NetworkSource.open(from)))
                : BifWriter.text(UaiNetworks.network(UaiReader.model(Path.of(from)),
                        name.replaceFirst("\\.bif$", ""))));
        AtomicFiles.write(to, text.getBytes(StandardCharsets.UTF_8));
        return 0;
    }
}
