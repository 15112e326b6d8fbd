package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.RandomNetworks;
import io.mdnf.cli.Main;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a real cluster, a worker of which is killed in the midst of them, leave what one process leaves. */
@Tag("slow")
@Timeout(120)
class ClusterTest {

    @TempDir
    private Path folder;

    /** The same workers, of whom one is killed when the first result comes. */
    private record Killed(Workers workers, LoopbackCluster cluster, AtomicInteger results) implements Workers {

        @Override
        public <T> Sent<T> send(T value) {
            return workers.send(value);
        }

        @Override
        public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
            workers.run(pieces, work, (piece, result) -> {
                if (results.getAndIncrement() == 0) {
                    cluster.kill(0);
                }
                taker.take(piece, result);
            });
        }
    }

    private static String run(Main.Cluster cluster, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(cluster, new PrintWriter(out, true), new PrintWriter(err, true), args);
        assertThat(exitCode).as(err.toString()).isZero();
        return out.toString();
    }

    private Path cases(BayesianNetwork network, int count) throws IOException {
        String header = IntStream.range(0, network.nodes().size()).mapToObj(v -> network.node(v).name())
                .collect(Collectors.joining(","));
        String rows = RandomNetworks.cases(new Random(1), network, count, 0.8).stream().map(states ->
                IntStream.range(0, states.length).mapToObj(v -> states[v] < 0 ? "?"
                        : network.node(v).states().get(states[v])).collect(Collectors.joining(",", "\n", "")))
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("cases.csv"), header + rows);
    }

    @Test
    void aTableOfCasesIsAnsweredAlikeHereAndOnAClusterThatLosesAWorker() throws Exception {
        Path cases = cases(BuiltInNetworks.open("hepar2"), 40_000);
        Path here = folder.resolve("here.csv");
        Path there = folder.resolve("there.csv");
        run(null, "bn", "query", "hepar2", "--cases", cases.toString(), "--targets", "Cirrhosis,Steatosis", "--out",
                here.toString(), "--quiet");
        AtomicInteger results = new AtomicInteger();
        try (LoopbackCluster cluster = LoopbackCluster.start(folder.resolve("spark"));
                JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            run(master -> new Killed(new SparkWorkers(spark), cluster, results), "bn", "query", "hepar2", "--cases",
                    cases.toString(), "--targets", "Cirrhosis,Steatosis", "--out", there.toString(), "--quiet");
            assertThat(spark.sc().statusTracker().getExecutorInfos()).as("the driver and one executor").hasSize(2);
        }
        assertThat(results.get()).isEqualTo(10);
        assertThat(Files.mismatch(here, there)).isEqualTo(-1);
    }
}
