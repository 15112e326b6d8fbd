package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationTest {

    @ParameterizedTest
    @CsvSource({
        "sparky://x, 'spark://host:7077 or local[2], for example'",
        "local[x], 'spark://host:7077 or local[2], for example'",
        "spark://127.0.0.1, no Spark master answers there",
        "spark://127.0.0.1:1, no Spark master answers there"})
    void aClusterThatIsNotThereIsRefusedInOneLine(String master, String refusal, @TempDir Path folder)
            throws Exception {
        Path cases = Files.writeString(folder.resolve("cases.csv"), "xray\nyes\n");
        StringWriter err = new StringWriter();
        assertThat(Main.run(new Application(), new PrintWriter(new StringWriter()), new PrintWriter(err, true),
                "--master", master, "bn", "query", "asia", "--cases", cases.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--master " + master + ": ", refusal).hasLineCount(1);
    }

    @Test
    void aTrainingThatIsRefusedLeavesNoFolder(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("run");
        StringWriter err = new StringWriter();
        assertThat(Main.run(new Application(), new PrintWriter(new StringWriter()), new PrintWriter(err, true),
                "--master", "spark://127.0.0.1:1", "vae", "train", "--csv", Local.table(folder).toString(), "--quiet",
                "--shards", "2", "--average-every", "5", "--out", out.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no Spark master answers there").hasLineCount(1);
        assertThat(out).doesNotExist();
    }
}
