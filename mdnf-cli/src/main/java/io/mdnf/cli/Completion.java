package io.mdnf.cli;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.experiments.Experiment;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mdnf completion}: the script that lets a shell complete commands, options and names. */
@Command(name = "completion", footer = "  source <(mdnf completion)", description = {
    "Print a script with which bash or zsh completes commands, options, networks and experiments.",
    "The line below serves this shell; in ~/.bashrc or ~/.zshrc it serves every new one."})
final class Completion implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("mdnf", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }

    static final class Networks implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return BuiltInNetworks.names().iterator();
        }
    }

    static final class Reproducible implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(Stream.of("all"), Experiment.all().stream().map(Experiment::name)).iterator();
        }
    }
}
