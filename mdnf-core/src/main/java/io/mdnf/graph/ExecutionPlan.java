package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A static graph compiled to a flat list of native calls, with its parameters, gradients and optimiser in place.
 *
 * <p>SameDiff's own session spends its time in Java: shapes, names, allocation, dependency tracking, once per operation
 * and step. A plan does all of that once: topological order, one output array and one operation context per operation,
 * constants folded, reshapes as views. A step is then a loop of native calls. Results equal SameDiff's to the last bit
 * in double; in float, where blocks of plain Java compute what lies between products, to some 1e-5 of the largest.
 *
 * <p>A plan belongs to one thread at a time; several threads take one plan each.
 *
 * <pre>{@code
 * try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
 *     plan.load(graph.layout().initial(seed));
 *     for (int step = 0; step < 1000; step++) {
 *         plan.write(x, data);
 *         plan.run();
 *         plan.update(new Optimiser.Adam(), 0.001);
 *     }
 *     double[] trained = plan.parameters();
 * }
 * }</pre>
 */
public final class ExecutionPlan implements AutoCloseable {

    /** Floating-point operations of a product from which two threads gain, and beside other work do not lose. */
    private static final double LARGE_PRODUCT = 1e9;

    /** Held by the one plan that runs on a device. */
    private static final Object ON_DEVICE = new Object();

    private final ParameterVector parameters;
    private final ParameterLayout layout;
    private final Map<String, Buffer> buffers = new HashMap<>();
    private final PlanCompiler compiled;
    private final PlanCompiler.Call[] calls;
    private final Precision precision;
    private final Graph graph;
    private final Tensor loss;
    private final List<Tensor> outputs;
    private final boolean host = Backend.isHost();
    /** Where this run of several meets the others; null if there is one. */
    private final Lockstep together;
    private final int run;
    /** Updates of this run of several. */
    private long updates;
    private boolean closed;

    private ExecutionPlan(Graph graph, Tensor loss, List<Tensor> outputs, ParameterVector parameters) {
        this.graph = graph;
        this.precision = graph.precision();
        this.loss = loss;
        this.outputs = outputs;
        this.layout = graph.layout();
        this.parameters = parameters;
        this.together = null;
        this.run = 0;
        List<String> targets = new ArrayList<>(outputs.stream().map(Tensor::name).toList());
        SameDiff model = graph.sameDiff();
        Map<String, INDArray> inputs = new HashMap<>();
        Map<String, INDArray> gradientTargets = new HashMap<>();
        layout.parameters().forEach(p -> inputs.put(p.name(), parameters.value(p.name())));
        if (loss != null) {
            String[] names = layout.parameters().stream().map(Parameter::name).toArray(String[]::new);
            WrongGradients.refuse(model, loss.name(), List.of(names));
            // runs do not see each other, so the gradient of their sum is that of each
            SDVariable all = graph.runs() == 1 ? loss.variable() : model.sum(loss.variable(), false, 0);
            model = QuietAutodiff.gradientGraph(model, all, names);
            targets.add(loss.name());
            for (String name : names) {
                var gradient = model.getVariable(name).gradient();
                Check.that(gradient != null, "the loss does not depend on parameter '" + name + "'");
                gradientTargets.put(gradient.name(), parameters.gradient(name));
                targets.add(gradient.name());
            }
        }
        Map<String, Tensor> results = DeviceCalls.results(
                Stream.concat(outputs.stream(), Stream.ofNullable(loss)));
        this.compiled = new PlanCompiler(model, graph, inputs, gradientTargets, results, targets);
        this.calls = compiled.calls();
    }

    /** One of several runs. */
    private ExecutionPlan(ExecutionPlan all, int run, Lockstep together) {
        this.graph = all.graph;
        this.precision = all.precision;
        this.loss = all.loss;
        this.outputs = all.outputs;
        this.layout = all.layout;
        this.parameters = all.parameters;
        this.compiled = all.compiled;
        this.calls = all.calls;
        this.together = together;
        this.run = run;
    }

    /**
     * Compiles a loss of shape [], which is minimised, the gradients of all parameters, and what else is to be read
     * after a run; all parameters are 0.
     */
    public static ExecutionPlan compile(Graph graph, Tensor loss, Tensor... outputs) {
        Check.that(graph.runs() == 1, "the graph is of ", graph.runs(), " runs: compileRuns gives each a plan");
        return compiled(graph, loss, outputs);
    }

    private static ExecutionPlan compiled(Graph graph, Tensor loss, Tensor... outputs) {
        Check.that(loss.rank() == 0, "loss = " + loss + ": a loss is a single number, shape []");
        return new ExecutionPlan(graph, loss, List.of(outputs),
                new ParameterVector(graph.layout(), graph.precision(), graph.runs()));
    }

    /**
     * Compiles a step of all runs of a graph at once and returns a plan for each, to be used on a thread of its own as
     * if it were alone: {@link #run} and {@link #update} wait for the other runs, so that all take the same steps; what
     * is written and read is one run's. A plan that is closed is waited for no longer.
     */
    public static List<ExecutionPlan> compileRuns(Graph graph, Tensor loss, Tensor... outputs) {
        ExecutionPlan all = compiled(graph, loss, outputs);
        Lockstep together = new Lockstep(graph.runs(), all::close);
        return IntStream.range(0, graph.runs()).mapToObj(run -> new ExecutionPlan(all, run, together)).toList();
    }

    /**
     * Compiles the same step once more, on the same parameters, with placeholders and gradients of its own, so that
     * another thread can run a share of the batch; {@link #update} adds what its last run found, in the order of
     * replicas, and shares its own work among as many threads. Closed before this.
     */
    public ExecutionPlan replica() {
        Check.that(together == null, "one of several runs has no replicas");
        return new ExecutionPlan(graph, loss, outputs, parameters.replica());
    }

    /** Compiles values only, to be read after a run; all parameters are 0. */
    public static ExecutionPlan forward(Graph graph, Tensor... outputs) {
        Check.that(outputs.length != 0, "outputs is empty: a plan without a loss needs at least one output");
        Check.that(graph.runs() == 1, "the graph is of ", graph.runs(), " runs: values only are computed of one");
        return new ExecutionPlan(graph, null, List.of(outputs),
                new ParameterVector(graph.layout(), graph.precision(), 1));
    }

    /** Overwrites a placeholder of this plan's graph in place, flat and row-major. */
    public void write(Tensor placeholder, double... values) {
        write(placeholder, values, values.length);
    }

    /** Overwrites a placeholder of this plan's graph in place, flat and row-major. */
    public void write(Tensor placeholder, float[] values) {
        write(placeholder, values, values.length);
    }

    private void write(Tensor placeholder, Object values, int length) {
        if (length != placeholder.size()) {
            throw new IllegalArgumentException("values: " + length + " given for placeholder " + placeholder);
        }
        synchronized (compiled) {
            buffer(placeholder).write(run * length, values, length);
        }
    }

    /** Runs every operation once, on the calling thread; see {@link Threads}. */
    public void run() {
        if (closed) {
            throw new IllegalStateException("the plan is closed");
        }
        if (together == null) {
            Threads.run(this::callAll);
        } else {
            together.meet("a run", () -> Threads.run(this::callAll));
        }
    }

    private void callAll() {
        if (host) {
            runCalls();
            return;
        }
        synchronized (ON_DEVICE) {
            runCalls();
            // the older native calls do not wait, and another thread may look next
            Nd4j.getExecutioner().commit();
        }
    }

    private void runCalls() {
        for (PlanCompiler.Call call : calls) {
            call.body().run();
        }
    }

    /** Returns whether a matrix product of a run is so large that several threads are worth their start. */
    public boolean hasLargeProducts() {
        return compiled.largestProduct() >= LARGE_PRODUCT;
    }

    /** Returns a copy of the loss, an output or a placeholder after a run, row-major. */
    public double[] read(Tensor tensor) {
        double[] values = new double[tensor.size()];
        synchronized (compiled) {
            buffer(tensor).read(run * values.length, values, values.length);
        }
        return values;
    }

    /** Returns the loss of the last run. */
    public double loss() {
        return value(loss);
    }

    /** Returns the single number of a tensor of one element after a run. */
    public double value(Tensor tensor) {
        double[] values = read(tensor);
        if (values.length != 1) {
            throw new IllegalArgumentException("tensor = " + tensor + " has " + values.length + " values, not one");
        }
        return values[0];
    }

    /** Returns how the flat vectors are laid out. */
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns a copy of the flat parameter vector. */
    public double[] parameters() {
        synchronized (compiled) {
            return parameters.values(run);
        }
    }

    /** Returns the flat parameter vector in an array that the next call overwrites: a step makes no garbage of it. */
    public double[] currentParameters() {
        return parameters.current();
    }

    /** Returns a copy of the flat gradient of the last run, with those of replicas. */
    public double[] gradients() {
        synchronized (compiled) {
            return parameters.gradients(run);
        }
    }

    /** Replaces the parameters, in the order of {@link #layout()}. */
    public void load(double[] flat) {
        synchronized (compiled) {
            parameters.load(run, flat);
        }
    }

    /** Updates the parameters by the gradient of the last run; the rule's state starts at 0 when the rule changes. */
    public void update(Optimiser optimiser, double rate) {
        if (together == null) {
            parameters.update(optimiser, rate);
        } else {
            together.meet("update " + updates + " by " + optimiser + " and rate " + rate,
                    () -> parameters.update(optimiser, rate));
        }
        updates++;
    }

    /** Returns whether the last update left all parameters finite, as it does unless a gradient was not. */
    public boolean isFinite() {
        synchronized (compiled) {
            return parameters.isFinite(run);
        }
    }

    /** Updates the active values only, as {@link #update(Optimiser, double)} does; the others and their state stay. */
    public void update(Optimiser optimiser, double rate, boolean[] active) {
        double[] values = parameters.values(run);
        double[][] state = parameters.updates() == 0 ? null : parameters.slots(run);
        parameters.update(optimiser, rate);
        parameters.revert(values, state, active);
    }

    /** Returns copies of the optimiser's state vectors. */
    public double[][] optimiserState() {
        synchronized (compiled) {
            return parameters.slots(run);
        }
    }

    /** Returns how many updates the optimiser has made. */
    public long updates() {
        return together == null ? parameters.updates() : updates;
    }

    /** Puts parameters and optimiser, its state vectors and number of updates, back to where they were. */
    public void restore(double[] flat, Optimiser optimiser, double[][] state, long updates) {
        synchronized (compiled) {
            parameters.load(run, flat);
            parameters.restore(run, optimiser, state, updates);
        }
        this.updates = updates;
    }

    /** Returns how many bytes of native memory the arrays of a run, parameters and optimiser take. */
    public long bytes() {
        return compiled.bytes() + parameters.bytes();
    }

    /** Returns the number of native calls of one run. */
    public int callCount() {
        return calls.length;
    }

    /** Time that an operation, called by its name and output shape, takes in one run. */
    public record Timing(String operation, double microseconds) {}

    /** Returns the least time of every call in some runs, so that other processes count little, slowest first. */
    public List<Timing> profile(int runs) {
        long[] nanos = new long[calls.length];
        Arrays.fill(nanos, Long.MAX_VALUE);
        // with as many threads as a training has
        try (Threads threads = Threads.of(this, 1)) {
            for (int c = 0; c < runs * calls.length; c++) {
                long start = System.nanoTime();
                calls[c % calls.length].body().run();
                nanos[c % calls.length] = Math.min(nanos[c % calls.length], System.nanoTime() - start);
            }
        }
        return IntStream.range(0, calls.length)
                .mapToObj(i -> new Timing(calls[i].label(), nanos[i] / 1e3))
                .sorted(Comparator.comparingDouble(Timing::microseconds).reversed())
                .toList();
    }

    private Buffer buffer(Tensor tensor) {
        return buffers.computeIfAbsent(tensor.name(), name -> {
            INDArray array = compiled.array(name);
            Check.that(array != null, "tensor ", tensor, " is not part of this plan; name it as an output");
            if (Shapes.isStrided(array)) {
                throw new IllegalStateException(
                        tensor + " is not stored row by row (strides " + Arrays.toString(array.stride()) + ")");
            }
            return new Buffer(array);
        });
    }

    /** Releases all native memory. */
    @Override
    public void close() {
        if (!closed && together != null) {
            closed = true;
            together.leave();
        } else if (!closed) {
            closed = true;
            compiled.close();
            parameters.close();
        }
    }

    @Override
    public String toString() {
        return "ExecutionPlan(" + calls.length + " calls, " + layout.size() + " parameters, " + precision + ")";
    }
}
