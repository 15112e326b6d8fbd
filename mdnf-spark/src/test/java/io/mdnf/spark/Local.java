package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A Spark application within the test's own process, and commands that are run on it or not. */
final class Local {

    private Local() {}

    static SparkConf conf(String master) {
        return new SparkConf().setMaster(master).setAppName("test").set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1");
    }

    static JavaSparkContext spark() {
        return new JavaSparkContext(conf("local[2]"));
    }

    static String run(Main.Cluster cluster, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(cluster, new PrintWriter(out, true), new PrintWriter(err, true), args);
        assertThat(exitCode).as(err.toString()).isZero();
        return out.toString();
    }

    /** A table of 300 rows, two columns of which depend on each other. */
    static Path table(Path folder) throws IOException {
        List<String> lines = new ArrayList<>(List.of("colour,size,flag"));
        for (int i = 0; i < 300; i++) {
            boolean red = i * 7 % 10 < 6;
            lines.add((red ? "red" : "blue") + "," + (i % 13 == 0 ? "" : (red ? 10 : 20) + i % 3 + ".5") + "," + i % 2);
        }
        return Files.write(folder.resolve("table.csv"), lines);
    }

    /** Trains three shards of a table, nine rounds in three epochs of seven steps; the last checkpoint. */
    static Checkpoint train(Main.Cluster cluster, Path table, Path out, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("vae", "train", "--csv", table.toString(), "--latents", "2",
                "--categories", "3", "--batch", "39", "--shards", "3", "--average-every", "3", "--constant-rate",
                "--held-out", "0.1", "--out", out.toString(), "--quiet"));
        args.addAll(List.of(more));
        run(cluster, args.toArray(String[]::new));
        return CheckpointFolder.open(out.resolve("checkpoints")).latest().orElseThrow().checkpoint();
    }

    /** All but the time that they took. */
    static void assertSame(Checkpoint one, Checkpoint other) {
        assertThat(one.step()).isEqualTo(other.step());
        assertThat(one.configuration()).isEqualTo(other.configuration());
        assertThat(one.parameters()).isEqualTo(other.parameters());
        assertThat(one.optimiserState()).isDeepEqualTo(other.optimiserState());
        for (String name : other.arrayNames()) {
            assertThat(one.array(name)).as(name).isEqualTo(other.array(name));
        }
    }
}
