package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.RandomNetworks;
import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.work.Workers;
import java.io.IOException;
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

    /** The same workers, of whom one is killed when a result comes, counted from 0. */
    private record Killed(Workers workers, LoopbackCluster cluster, AtomicInteger results, int last)
            implements Workers {

        @Override
        public <T> Sent<T> send(T value) {
            return workers.send(value);
        }

        @Override
        public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
            workers.run(pieces, work, (piece, result) -> {
                if (results.getAndIncrement() == last) {
                    cluster.kill(0);
                }
                taker.take(piece, result);
            });
        }
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
        Local.run(null, "bn", "query", "hepar2", "--cases", cases.toString(), "--targets", "Cirrhosis,Steatosis",
                "--out", here.toString(), "--quiet");
        AtomicInteger results = new AtomicInteger();
        try (LoopbackCluster cluster = LoopbackCluster.start(folder.resolve("spark"));
                JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            Local.run(master -> new Killed(new SparkWorkers(spark), cluster, results, 0), "bn", "query", "hepar2",
                    "--cases", cases.toString(), "--targets", "Cirrhosis,Steatosis", "--out", there.toString(),
                    "--quiet");
            assertThat(spark.sc().statusTracker().getExecutorInfos()).as("the driver and one executor").hasSize(2);
        }
        assertThat(results.get()).isEqualTo(10);
        assertThat(Files.mismatch(here, there)).isEqualTo(-1);
    }

    @Test
    void aTrainingIsTheSameHereAndOnAClusterThatLosesAWorker() throws Exception {
        Path table = Local.table(folder);
        Checkpoint here = Local.train(null, table, folder.resolve("here"), "--epochs", "3");
        AtomicInteger results = new AtomicInteger();
        try (LoopbackCluster cluster = LoopbackCluster.start(folder.resolve("spark"));
                JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            // in the midst of the fourth round, when shards are kept where they are trained
            Workers workers = new Killed(new SparkWorkers(spark), cluster, results, 10);
            Checkpoint there = Local.train(master -> workers, table, folder.resolve("there"), "--epochs", "3");
            assertThat(spark.sc().statusTracker().getExecutorInfos()).as("the driver and one executor").hasSize(2);
            Local.assertSame(there, here);
        }
        assertThat(results.get()).isEqualTo(3 * 3 * 3);
    }
}
