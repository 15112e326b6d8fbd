package io.mdnf.spark;

import io.mdnf.bn.CaseTable;
import io.mdnf.bn.Queries;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * One question about cases that lie on a cluster: each is answered where it is, in the order of the cases, as
 * {@link Queries} would answer it here, to the last bit.
 *
 * <pre>{@code
 * Queries queries = Queries.of(NamedFactors.of(network), List.of("lung"));
 * JavaRDD<Queries.Answer> answers = new PosteriorQueries(spark, queries).answer(cases);
 * }</pre>
 *
 * <p>The question is sent once to each executor, which lays out its junction tree once.
 */
public final class PosteriorQueries {

    /** Cases that are answered together: neighbours share messages. */
    private static final int BLOCK = 4096;

    private final Broadcast<Queries> sent;

    /** Sends a question to a cluster. */
    public PosteriorQueries(JavaSparkContext spark, Queries queries) {
        sent = spark.broadcast(queries);
    }

    /** Answers cases, each a state for every variable or -1; one that is none gets an error, not a stop. */
    public JavaRDD<Queries.Answer> answer(JavaRDD<int[]> cases) {
        Broadcast<Queries> question = sent;
        return cases.mapPartitions(own -> new Blocks<>(own, block -> question.value().answer(block, 1)));
    }

    /**
     * Answers rows of a table, say of a {@code Dataset<Row>}: cells are named after states, null, empty or {@code ?}
     * where nothing was observed. A bad row gets an error.
     *
     * @param header the columns' names: variables
     * @param ignored columns that are none
     */
    public JavaRDD<Queries.Answer> answer(List<String> header, JavaRDD<List<String>> rows, Set<String> ignored) {
        Broadcast<Queries> question = sent;
        // a wrong header is refused here, not on the cluster
        CaseTable.of(question.value().model(), "the table", header, List.of(), ignored);
        return rows.mapPartitions(own -> new Blocks<>(own, block -> CaseTable.of(question.value().model(), "the table",
                header, block, ignored).answer(question.value(), 1)));
    }

    /** Answers of a partition, block by block as they are asked for. */
    private static final class Blocks<T> implements Iterator<Queries.Answer> {
        private final Iterator<T> cases;
        private final Function<List<T>, List<Queries.Answer>> question;
        private Iterator<Queries.Answer> answers = List.<Queries.Answer>of().iterator();

        Blocks(Iterator<T> cases, Function<List<T>, List<Queries.Answer>> question) {
            this.cases = cases;
            this.question = question;
        }

        @Override
        public boolean hasNext() {
            return answers.hasNext() || cases.hasNext();
        }

        @Override
        public Queries.Answer next() {
            if (!answers.hasNext()) {
                List<T> block = new ArrayList<>();
                while (block.size() < BLOCK && cases.hasNext()) {
                    block.add(cases.next());
                }
                answers = question.apply(block).iterator();
            }
            return answers.next();
        }
    }
}
