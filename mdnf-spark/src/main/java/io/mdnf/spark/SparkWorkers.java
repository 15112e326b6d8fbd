package io.mdnf.spark;

import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Function1;
import scala.Function2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/**
 * The executors of a Spark application: a task for each piece, a broadcast for what is sent. Pieces of an executor that
 * is lost are done by others; work that throws is not tried again, since it would throw again.
 *
 * <pre>{@code
 * try (JavaSparkContext spark = new JavaSparkContext(conf)) {
 *     new SparkWorkers(spark).run(pieces, work, taker);
 * }
 * }</pre>
 */
public final class SparkWorkers implements Workers {

    private final JavaSparkContext spark;
    private List<?> before;
    private JavaRDD<?> placed;

    /** The executors of an application. */
    public SparkWorkers(JavaSparkContext spark) {
        this.spark = spark;
    }

    private record Cast<T>(Broadcast<T> broadcast) implements Sent<T> {

        @Override
        public T value() {
            return broadcast.value();
        }

        @Override
        public void close() {
            broadcast.destroy();
        }
    }

    /** What came of a piece: a result, or else what was thrown. */
    private record Outcome<R>(R result, Exception thrown) implements Serializable {

        static <P, R> Outcome<R> of(Work<P, R> work, P piece) {
            try {
                return new Outcome<>(work.of(piece), null);
            } catch (Exception e) {
                return new Outcome<>(null, e);
            } catch (OutOfMemoryError e) { // an executor would end, and three more after it, without a word why
                return new Outcome<>(null, new IllegalStateException("no memory left where the work is done ("
                        + e.getMessage() + "); give executors more by spark.executor.memory, or local[N] by "
                        + "MDNF_JAVA_OPTS=-Xmx8g"));
            }
        }
    }

    @Override
    public <T> Sent<T> send(T value) {
        return new Cast<>(spark.broadcast(value));
    }

    @Override
    public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
        if (pieces.isEmpty()) {
            return;
        }
        Function1<Iterator<P>, Outcome<R>> task = (Function1<Iterator<P>, Outcome<R>> & Serializable)
                own -> Outcome.of(work, own.next());
        Exception[] failure = new Exception[1];
        Function2<Object, Outcome<R>, BoxedUnit> taken = (piece, outcome) -> {
            if (failure[0] != null) {
                return BoxedUnit.UNIT; // nobody waits for what Spark has not cancelled yet
            }
            try {
                if (outcome.thrown() != null) {
                    throw outcome.thrown();
                }
                taker.take((int) piece, outcome.result());
                return BoxedUnit.UNIT;
            } catch (Exception e) {
                failure[0] = e;
                throw new IllegalStateException(e);
            }
        };
        ClassTag<Outcome<R>> tag = ClassTag$.MODULE$.apply(Outcome.class);
        String group = UUID.randomUUID().toString();
        spark.setJobGroup(group, "mdnf", true);
        try {
            spark.sc().runJob(placed(pieces).rdd(), task, taken, tag);
        } catch (Exception e) { // Spark's are checked, but not declared
            if (!spark.sc().isStopped()) {
                spark.cancelJobGroup(group);
            }
            throw thrown(failure[0] == null ? e : failure[0]);
        } finally {
            spark.clearJobGroup();
        }
    }

    private static RuntimeException thrown(Exception failure) throws IOException {
        if (failure instanceof IOException problem) {
            throw problem;
        }
        return failure instanceof RuntimeException problem ? problem : new IllegalStateException(failure);
    }

    /** A partition for each piece. From its second use on a list is kept where it is, and its tasks go there. */
    private <P> JavaRDD<P> placed(List<P> pieces) {
        if (pieces != before) {
            before = pieces;
            placed = null;
            return spark.parallelize(pieces, pieces.size());
        }
        if (placed == null) {
            placed = spark.parallelize(pieces, pieces.size()).cache();
        }
        @SuppressWarnings("unchecked") // of the same list
        JavaRDD<P> same = (JavaRDD<P>) placed;
        return same;
    }
}
