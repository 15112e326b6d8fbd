package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code mdnf completion}, tried in a real bash. */
class CompletionTest {
    @TempDir
    private Path folder;

    private static String script() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(Main.run(new PrintWriter(out, true), new PrintWriter(err, true), "completion")).isZero();
        assertThat(err.toString()).isEmpty();
        return out.toString();
    }

    @Test
    void theScriptNamesItsCommandAndHasNoMachinePath() {
        assertThat(script()).startsWith("#!/usr/bin/env bash").contains("complete -F _complete_mdnf", "mdnf")
                .doesNotContain(System.getProperty("user.dir"));
    }

    @ParameterizedTest
    @CsvSource({"mdnf d, doctor", "mdnf bn f, fit", "mdnf bn info ea, earthquake", "mdnf bn fit asia --res, --resume",
        "mdnf reproduce bn-t, bn-table", "mdnf reproduce --scale q, quick",
        "mdnf bn fit asia --family jo, joint", "mdnf gmm fit --start k, k-means"})
    @Tag("slow")
    void bashCompletes(String typed, String completion) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
        Path script = Files.writeString(folder.resolve("completion"), script());
        List<String> words = List.of(typed.split(" "));
        String probe = "source '" + script + "'; COMP_WORDS=(" + typed + "); COMP_CWORD=" + (words.size() - 1)
                + "; COMP_LINE='" + typed + "'; COMP_POINT=" + typed.length() + "; _complete_mdnf mdnf '"
                + words.get(words.size() - 1) + "' ''; printf '%s\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("/bin/bash", "-c", probe).redirectErrorStream(true).start();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        bash.waitFor();
        assertThat(answer.lines().map(String::strip)).contains(completion);
    }
}
