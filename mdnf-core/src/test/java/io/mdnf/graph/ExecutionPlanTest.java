package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExecutionPlanTest {

    /** A model, its loss and what it is fed. */
    record Model(String name, Graph graph, Tensor loss, List<Tensor> placeholders) {
        @Override
        public String toString() {
            return name + " " + graph.precision();
        }
    }

    private static Model model(String name, Graph g, Tensor loss, Tensor... placeholders) {
        return new Model(name, g, loss, List.of(placeholders));
    }

    private static Tensor normal(Graph g, String name, long... shape) {
        return g.parameter(new Parameter(name, Initialiser.normal(0.7), shape));
    }

    /** A masked, batched network with straight-through shifts and a mixture's log-sum-exp: all our idioms at once. */
    private static Model flows(Precision precision, CodeSpace space, int components, int samples) {
        Graph g = new Graph(precision);
        int length = space.oneHotLength();
        Tensor u = g.placeholder("u", samples, space.variables(), space.width());
        Tensor inverse = g.placeholder("inverse", 1, 1);
        Tensor hidden = Affine.masked(
                u.repeatLeading(components).reshape(components, samples, length),
                normal(g, "w1", components, length, 7), normal(g, "b1", components, 7), checkered(length, 7)).relu();
        Tensor logits = Affine.apply(hidden, normal(g, "w2", components, 7, length),
                normal(g, "b2", components, length))
                .reshape(components, samples, space.variables(), space.width());
        Tensor shift = StraightThrough.SECOND_ORDER.oneHot(logits, space, inverse);
        Tensor x = new ModularArithmetic(space).add(u.repeatLeading(components), shift);
        Tensor score = x.times(normal(g, "p", components, samples, space.variables(), space.width()).exp())
                .sum(-1).log(1e-15).sum(-1);
        return model("flows " + space, g, score.permute(1, 0).logSumExp().sum(), u, inverse);
    }

    private static double[] checkered(int in, int out) {
        double[] mask = new double[in * out];
        for (int i = 0; i < mask.length; i++) {
            mask[i] = (i / out + i) % 2;
        }
        return mask;
    }

    private static Model dense(Precision precision) {
        Graph g = new Graph(precision);
        Tensor x = g.placeholder("x", 20, 30);
        Tensor h = x.matmul(normal(g, "w1", 30, 16)).plus(normal(g, "b1", 16).repeatLeading(20)).relu();
        Tensor o = h.matmul(normal(g, "w2", 16, 30)).tanh().plus(x.matmul(normal(g, "w3", 30, 30)));
        return model("dense", g, o.softplus().minus(o.times(x)).sum(), x);
    }

    /** The gradient of an unused reshape of a parameter comes out as an alias, which the plan must copy. */
    private static Model aliases(Precision precision) {
        Graph g = new Graph(precision);
        Tensor x = g.placeholder("x", 6);
        Tensor w = normal(g, "w", 2, 3);
        return model("aliases", g, w.reshape(6).plus(x).sum(), x);
    }

    /** Rows repeated to be added, to be added to each other, to be multiplied, and differences of all of them. */
    private static Model rows(Precision precision) {
        Graph g = new Graph(precision);
        Tensor x = g.placeholder("x", 9, 4);
        Tensor a = normal(g, "a", 4).repeatLeading(9);
        Tensor b = normal(g, "b", 4).repeatLeading(9);
        Tensor c = normal(g, "c", 4).repeatLeading(9);
        Tensor both = a.plus(b).times(x.plus(a));
        return model("rows", g, both.minus(c.times(x)).plus(normal(g, "d", 4).repeatLeading(9)).tanh().sum(), x);
    }

    /** A gradient that is a reshaped product, and one that is a product reshaped twice: both are written in place. */
    private static Model reshapes(Precision precision) {
        Graph g = new Graph(precision);
        Tensor x = g.placeholder("x", 6, 2);
        Tensor once = normal(g, "once", 3, 4).reshape(6, 2).matmul(normal(g, "a", 2, 2)).times(x);
        Tensor twice = normal(g, "twice", 3, 4).reshape(2, 3, 2).reshape(6, 2).matmul(normal(g, "b", 2, 2)).times(x);
        return model("reshapes", g, once.plus(twice).tanh().sum(), x);
    }

    static Stream<Model> models() {
        return Stream.of(Precision.values()).flatMap(p -> Stream.of(
                dense(p), aliases(p), rows(p), reshapes(p), flows(p, CodeSpace.uniform(4, 3), 5, 6),
                flows(p, CodeSpace.of(2, 4, 3), 3, 8)));
    }

    static void fill(Model model, ExecutionPlan plan) {
        for (Tensor p : model.placeholders()) {
            double[] values = new Draws(Seed.of(5)).normal(p.name(), p.size());
            for (int i = 0; i < values.length; i++) {
                values[i] = p.name().equals("u") ? (i % 3 == 0 ? 1 : 0) : Math.abs(values[i]);
            }
            plan.write(p, values);
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    @Tag("slow")
    void planIsBitEqualToSameDiffsSessionInDoubleAndCloseInFloat(Model model) {
        try (ExecutionPlan plan = ExecutionPlan.compile(model.graph(), model.loss())) {
            plan.load(model.graph().layout().initial(Seed.of(1)));
            fill(model, plan);
            SessionTwin twin = new SessionTwin(model.graph(), model.loss());
            twin.copy(plan);
            twin.run();
            for (int run = 0; run < 2; run++) {
                plan.run();
                // in float block calls have exponentials, logarithms and sums of their own
                double largest = Arrays.stream(twin.gradients()).map(Math::abs).max().orElse(0);
                double tolerance = model.graph().precision() == Precision.DOUBLE ? 0
                        : 1e-5 * Math.max(largest, Math.abs(twin.loss()));
                assertThat(twin.maxDifference(plan)).isBetween(0.0, tolerance);
            }
            // the comparison can fail: another step's gradients differ
            plan.update(new Optimiser.Sgd(), 0.01);
            plan.run();
            assertThat(twin.maxDifference(plan)).isPositive();
        }
    }

    private static double[] train(Model model, int steps) {
        try (ExecutionPlan plan = ExecutionPlan.compile(model.graph(), model.loss())) {
            plan.load(model.graph().layout().initial(Seed.of(1)));
            fill(model, plan);
            for (int i = 0; i < steps; i++) {
                plan.run();
                plan.update(new Optimiser.Adam(), 0.01);
            }
            return plan.parameters();
        }
    }

    @Test
    @Tag("slow")
    void severalThreadsWithOnePlanEachGetTheSameResult() throws Exception {
        double[] alone = train(flows(Precision.FLOAT, CodeSpace.uniform(4, 3), 5, 6), 200);
        var pool = Executors.newFixedThreadPool(4);
        try {
            List<Callable<double[]>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tasks.add(() -> train(flows(Precision.FLOAT, CodeSpace.uniform(4, 3), 5, 6), 200));
            }
            for (var result : pool.invokeAll(tasks)) {
                assertThat(result.get()).containsExactly(alone);
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void restoredPlanContinuesBitEqual() {
        Model model = dense(Precision.FLOAT);
        Optimiser adam = new Optimiser.Adam();
        try (ExecutionPlan plan = ExecutionPlan.compile(model.graph(), model.loss())) {
            plan.load(model.graph().layout().initial(Seed.of(1)));
            fill(model, plan);
            double[] parameters = null;
            double[][] state = null;
            long updates = 0;
            for (int i = 0; i < 20; i++) {
                if (i == 10) {
                    parameters = plan.parameters();
                    state = plan.optimiserState();
                    updates = plan.updates();
                }
                plan.run();
                plan.update(adam, 0.01);
            }
            double[] end = plan.parameters();
            plan.update(new Optimiser.Sgd(), 1);
            plan.restore(parameters, adam, state, updates);
            for (int i = 10; i < 20; i++) {
                plan.run();
                plan.update(adam, 0.01);
            }
            assertThat(plan.parameters()).containsExactly(end);
        }
    }

    @Test
    void compilingPrintsNothingOnStandardOutput() {
        PrintStream out = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true));
        try {
            train(dense(Precision.FLOAT), 1);
            assertThat(System.out).isNotSameAs(out);
        } finally {
            System.setOut(out);
        }
        assertThat(captured.toString()).isEmpty();
    }

    @Test
    void misuseIsRefusedByName() {
        Model model = dense(Precision.DOUBLE);
        Tensor x = model.placeholders().get(0);
        Tensor orphan = model.graph().parameter(new Parameter("orphan", Initialiser.constant(0), 2));
        assertThatThrownBy(() -> ExecutionPlan.compile(model.graph(), model.loss())).hasMessageContaining("'orphan'");
        assertThatThrownBy(() -> ExecutionPlan.compile(model.graph(), x)).hasMessageContaining("single number");
        assertThatThrownBy(() -> ExecutionPlan.forward(model.graph())).hasMessageContaining("at least one output");
        Graph empty = new Graph(Precision.FLOAT);
        Tensor nothing = empty.placeholder("nothing", 0, 4).exp().times(2);
        assertThatThrownBy(() -> ExecutionPlan.forward(empty, nothing)).hasMessageContaining("[0, 4] has no entries");
        ExecutionPlan plan = ExecutionPlan.forward(model.graph(), model.loss());
        assertThatThrownBy(() -> plan.write(x, 1, 2)).hasMessageContaining("2 given");
        assertThatThrownBy(() -> plan.load(new double[3])).hasMessageContaining("3 values");
        assertThatThrownBy(() -> plan.read(orphan.plus(1))).hasMessageContaining("name it as an output");
        plan.close();
        plan.close();
        assertThatThrownBy(plan::run).hasMessageContaining("closed");
    }

    /**
     * 100 native bytes a step would be seen: they make 3 MB where the machine's own noise, without C2, is below 1 MB;
     * and 10 bytes of objects that cannot be collected.
     */
    @Test
    @Tag("slow")
    void memoryDoesNotGrowOverThirtyThousandSteps() throws Exception {
        // in a JVM whose heap has its final size from the start, since a growing heap would hide what the plan keeps
        Process child = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms64m", "-Xmx64m",
                "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), MemoryProbe.class.getName()).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes());
        assertThat(child.waitFor()).as(output).isZero();
        long[] kilobytes = Pattern.compile("resident (\\d+) heap (\\d+)").matcher(output).results()
                .flatMap(r -> Stream.of(r.group(1), r.group(2))).mapToLong(Long::parseLong).toArray();
        assertThat(kilobytes).as(output).hasSize(4);
        assertThat(kilobytes[2] - kilobytes[0]).as(output).isLessThan(3_000);
        assertThat(kilobytes[3] - kilobytes[1]).as(output).isLessThan(300);
    }

    /** Prints its resident memory and what its heap cannot collect after 3,000 and after 33,000 steps. */
    static final class MemoryProbe {
        public static void main(String[] arguments) throws IOException {
            Model model = flows(Precision.FLOAT, CodeSpace.uniform(2, 2), 2, 2);
            try (ExecutionPlan plan = ExecutionPlan.compile(model.graph(), model.loss())) {
                plan.load(model.graph().layout().initial(Seed.of(1)));
                fill(model, plan);
                for (int i = 1; i <= 33_000; i++) {
                    plan.run();
                    plan.update(new Optimiser.RmsProp(), 0.01);
                    if (i == 3_000 || i == 33_000) {
                        long resident = residentKilobytes();
                        Runtime heap = Runtime.getRuntime();
                        System.out.println("resident " + resident + " heap "
                                + (heap.totalMemory() - heap.freeMemory()) / 1024);
                    }
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void closedPlansGiveTheirMemoryBack() throws IOException {
        long early = 0;
        for (int i = 0; i < 30; i++) {
            Graph g = new Graph(Precision.DOUBLE);
            Tensor x = g.placeholder("x", 1000, 1000);
            Tensor loss = x.times(normal(g, "w", 1000, 1000)).exp().sum();
            ExecutionPlan.compile(g, loss).close();
            System.gc();
            if (i == 10) {
                early = residentKilobytes();
            }
        }
        // 20 more plans of more than 40 MB each: keeping them would take 800 MB
        assertThat(residentKilobytes() - early).isLessThan(200_000);
    }

    private static long residentKilobytes() throws IOException {
        System.gc();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("no VmRSS in /proc/self/status");
    }
}
