package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.Queries;
import io.mdnf.bn.RandomNetworks;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PosteriorQueriesTest {

    private static JavaSparkContext spark;

    @BeforeAll
    static void open() {
        spark = Local.spark();
    }

    @AfterAll
    static void close() {
        spark.close();
    }

    private static void assertSame(List<Queries.Answer> there, List<Queries.Answer> here) {
        assertThat(there).hasSameSizeAs(here);
        for (int i = 0; i < here.size(); i++) {
            assertThat(there.get(i).probabilities()).isEqualTo(here.get(i).probabilities());
            assertThat(Double.compare(there.get(i).lower(), here.get(i).lower())).isZero();
            assertThat(there.get(i).error()).isEqualTo(here.get(i).error());
        }
    }

    @Test
    void answersAreThoseOfOneProcessToTheLastBitHoweverCasesAreParted() {
        BayesianNetwork network = BuiltInNetworks.open("hepar2");
        List<int[]> cases = new ArrayList<>(RandomNetworks.cases(new Random(1), network, 300, 0.4));
        cases.set(7, new int[] {1, 2});
        Queries queries = Queries.of(NamedFactors.of(network), List.of("Steatosis", "Cirrhosis"));
        List<Queries.Answer> here = queries.answer(cases, 1);
        assertThat(here.get(7).error()).contains("found 2 states");
        for (int partitions : new int[] {1, 5}) {
            PosteriorQueries there = new PosteriorQueries(spark, queries);
            assertSame(there.answer(spark.parallelize(cases, partitions)).collect(), here);
        }
    }

    @Test
    void rowsOfATableAreReadWhereTheyLie() {
        Queries queries = Queries.of(NamedFactors.of(BuiltInNetworks.open("asia")), List.of("lung"));
        PosteriorQueries there = new PosteriorQueries(spark, queries);
        List<List<String>> rows = List.of(List.of("1", "yes"), Arrays.asList("2", null), List.of("3", "maybe"));
        List<Queries.Answer> answers = there.answer(List.of("id", "xray"), spark.parallelize(rows, 2), Set.of("id"))
                .collect();
        int[] xray = new int[8];
        Arrays.fill(xray, -1);
        int[] nothing = xray.clone();
        xray[queries.model().indexOf("xray")] = 0;
        assertSame(answers.subList(0, 2), queries.answer(List.of(xray, nothing), 1));
        assertThat(answers.get(2).error()).contains("'xray' has no state 'maybe'");
        assertThatThrownBy(() -> there.answer(List.of("xrai"), spark.parallelize(rows), Set.of()))
                .hasMessageContaining("did you mean 'xray'");
    }

    @Test
    void workersTakeEveryPieceOnceAndFailOnce() throws IOException {
        SparkWorkers workers = new SparkWorkers(spark);
        List<Integer> pieces = IntStream.range(0, 12).boxed().toList();
        for (int round = 0; round < 3; round++) {
            List<Integer> taken = new ArrayList<>();
            try (Workers.Sent<int[]> factor = workers.send(new int[] {round})) {
                workers.run(pieces, piece -> piece * factor.value()[0], Workers.inOrder((piece, r) -> taken.add(r)));
            }
            int by = round;
            assertThat(taken).isEqualTo(pieces.stream().map(p -> p * by).toList());
        }
        var tries = spark.sc().longAccumulator("tries");
        assertThatThrownBy(() -> workers.run(List.of(1), piece -> {
            tries.add(1);
            throw new IOException("no such piece");
        }, (piece, nothing) -> { })).isInstanceOf(IOException.class).hasMessage("no such piece");
        assertThat(tries.value()).isEqualTo(1);
        AtomicInteger takes = new AtomicInteger();
        assertThatThrownBy(() -> workers.run(pieces, piece -> piece, (piece, result) -> {
            takes.incrementAndGet();
            LockSupport.parkNanos(500_000_000); // others end meanwhile
            throw new IOException("the disk is full");
        })).isInstanceOf(IOException.class).hasMessage("the disk is full");
        assertThatThrownBy(() -> workers.run(List.of(1), piece -> {
            throw new OutOfMemoryError("Java heap space");
        }, (piece, nothing) -> { })).hasMessageContaining("(Java heap space); give executors more");
        assertThat(takes).as("results that came before the next job").hasValue(1);
        workers.run(List.of(), piece -> piece, (piece, result) -> { });
    }
}
