package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
    void aSingleCaseIsNoWorkForACluster() {
        StringWriter err = new StringWriter();
        assertThat(Main.run(new Application(), new PrintWriter(new StringWriter()), new PrintWriter(err, true),
                "--master", "local[2]", "bn", "query", "asia", "--evidence", "xray=yes")).isEqualTo(2);
        assertThat(err.toString()).contains("--cases FILE").hasLineCount(1);
    }

    @Test
    void answersOfATableMayBeLargerThanSparkLetsResultsBe() {
        assertThat(Application.conf(Optional.of("local[2]")).get("spark.driver.maxResultSize")).isEqualTo("0");
    }

    @Test
    @Tag("slow")
    @Timeout(180)
    void aTrainingThatIsStoppedSavesItsRoundBeforeSparkEnds(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("run");
        Path err = folder.resolve("err");
        Process child = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), "-Dspark.driver.host=127.0.0.1", Application.class.getName(),
                "--master", "local[2]", "vae", "train", "--csv", Local.table(folder).toString(), "--epochs", "100000",
                "--shards", "2", "--average-every", "3", "--batch", "40", "--quiet", "--out", out.toString())
                .redirectErrorStream(true).redirectOutput(err.toFile()).start();
        try {
            while (child.isAlive() && !Files.exists(out.resolve("metrics.csv"))) {
                Thread.sleep(20);
            }
            child.destroy(); // SIGTERM
            assertThat(child.waitFor()).isEqualTo(143);
        } finally {
            child.destroyForcibly();
        }
        assertThat(Files.readString(err).lines()).singleElement().asString()
                .startsWith("mdnf: stopped, saved in " + out);
        assertThat(RunManifest.read(out).status()).isEqualTo(RunManifest.Status.STOPPED);
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
