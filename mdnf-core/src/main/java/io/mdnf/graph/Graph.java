package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.VariableType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A SameDiff graph under construction, with static shapes and one precision.
 *
 * <p>Parameters, placeholders and constants enter here; {@link Tensor} holds the operations. A graph can be nested by
 * name, so that the parts of a model do not have to know each other's names.
 *
 * <pre>{@code
 * Graph graph = new Graph(Precision.DOUBLE);
 * Tensor x = graph.placeholder("x", 10, 3);
 * Tensor w = graph.parameter(new Parameter("w", Initialiser.glorot(), 3, 2));
 * Tensor loss = x.matmul(w).relu().sum();
 * }</pre>
 *
 * <p>A graph of several runs is written as one run's: parameters, placeholders and constants get a leading axis of runs
 * that no tensor shows, so that a call computes all runs at once and none sees another (decision 26).
 */
public final class Graph {

    private final SameDiff sameDiff;
    private final Precision precision;
    private final String scope;
    private final int runs;
    private final Map<String, Tensor> parameterTensors;
    private final Map<String, Tensor> placeholderTensors;
    private final List<Parameter> parameters;
    private final ParameterValues fixed;

    /** An empty graph, with one type of all its numbers. */
    public Graph(Precision precision) {
        this(SameDiff.create(), precision);
    }

    /** An empty graph of so many runs that differ in parameters and placeholders; plans of it are compiled by
     * {@link ExecutionPlan#compileRuns}. */
    public Graph(Precision precision, int runs) {
        this(SameDiff.create(), precision, "", runs, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>(),
                null);
        Check.that(runs >= 1, "runs = ", runs, ": at least 1");
    }

    /** Builds onto a SameDiff model that exists, such as a user's decoder; its variables must have the precision. */
    public Graph(SameDiff sameDiff, Precision precision) {
        this(sameDiff, precision, "", 1, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>(), null);
    }

    private Graph(SameDiff sameDiff, Precision precision, String scope, int runs, Map<String, Tensor> parameterTensors,
            Map<String, Tensor> placeholderTensors, List<Parameter> parameters, ParameterValues fixed) {
        Backend.load();
        this.sameDiff = sameDiff;
        this.precision = precision;
        this.scope = scope;
        this.runs = runs;
        this.parameterTensors = parameterTensors;
        this.placeholderTensors = placeholderTensors;
        this.parameters = parameters;
        this.fixed = fixed;
    }

    /** Returns a view of the same graph that names what it adds under a scope. */
    public Graph under(String name) {
        return new Graph(sameDiff, precision, scope + name + "/", runs, parameterTensors, placeholderTensors,
                parameters, fixed);
    }

    /** Returns a view of the same graph in which parameters are constants, by their full names, as after
     * training. */
    public Graph fixed(ParameterValues values) {
        return new Graph(sameDiff, precision, scope, runs, new LinkedHashMap<>(), placeholderTensors, parameters,
                values);
    }

    /** Returns a trainable tensor, named in this scope; asking again by the same name returns the same tensor. */
    public Tensor parameter(Parameter parameter) {
        String name = scope + parameter.name();
        Tensor known = parameterTensors.get(name);
        if (known == null && fixed != null) {
            known = constant(fixed.read(name), parameter.shape());
            parameterTensors.put(name, known);
        } else if (known == null) {
            SDVariable variable = sameDiff.var(name, precision.type(), ofRuns(parameter.shape()));
            known = new Tensor(this, variable, parameter.shape());
            parameterTensors.put(name, known);
            parameters.add(new Parameter(name, parameter.initialiser(), parameter.shape()));
        } else {
            Shapes.checkEqual("parameter " + name, known.shape(), parameter.shape());
        }
        return known;
    }

    /**
     * Returns a variable of the SameDiff model that exists as a parameter, so that plans train it too; its first values
     * are those it has.
     */
    public Tensor parameter(SDVariable variable) {
        requireOneRun(variable);
        Check.that(variable.getVariableType() == VariableType.VARIABLE, variable.name(), " is of type ",
                variable.getVariableType(), ": only a VARIABLE of the model can be trained");
        INDArray array = variable.getArr();
        Tensor tensor = new Tensor(this, variable, array.shape());
        if (parameterTensors.putIfAbsent(variable.name(), tensor) == null) {
            parameters.add(new Parameter(variable.name(),
                    Initialiser.of(array.dup('c').data().asDouble()), array.shape()));
        }
        return parameterTensors.get(variable.name());
    }

    /** Returns a placeholder of the SameDiff model that exists, of a shape without open extents, for plans to write. */
    public Tensor placeholder(SDVariable variable) {
        requireOneRun(variable);
        Check.that(variable.isPlaceHolder(), variable.name(), " is of type ", variable.getVariableType(),
                ": no placeholder");
        Check.that(Shapes.size(variable.placeholderShape()) >= 0, "placeholder ", variable.name(), ": shape ",
                Arrays.toString(variable.placeholderShape()), " is open; a plan needs all of it");
        return placeholderTensors.computeIfAbsent(variable.name(),
                name -> new Tensor(this, variable, variable.placeholderShape()));
    }

    /** Returns a tensor overwritten before each run, named in this scope; the same name returns the same tensor. */
    public Tensor placeholder(String name, long... shape) {
        String full = scope + name;
        Tensor known = placeholderTensors.get(full);
        if (known == null) {
            known = new Tensor(this, sameDiff.placeHolder(full, precision.type(), ofRuns(shape)), shape);
            placeholderTensors.put(full, known);
        } else {
            Shapes.checkEqual("placeholder " + full, known.shape(), shape);
        }
        return known;
    }

    /** Returns a constant tensor of flat, row-major values. */
    public Tensor constant(double[] values, long... shape) {
        Check.that(values.length == Shapes.size(shape), "values: " + values.length + " given for a constant of shape "
                + Arrays.toString(shape));
        double[] all = new double[runs * values.length];
        for (int run = 0; run < runs; run++) {
            System.arraycopy(values, 0, all, run * values.length, values.length);
        }
        SDVariable variable =
                sameDiff.constant(Nd4j.createFromArray(all).castTo(precision.type()).reshape(ofRuns(shape)));
        return new Tensor(this, variable, shape);
    }

    /** Returns a tensor of ones. */
    public Tensor ones(long... shape) {
        Check.that(Shapes.size(shape) >= 0, "ones: shape ", Arrays.toString(shape),
                " is open; here the number of rows must be known");
        double[] ones = new double[Shapes.size(shape)];
        Arrays.fill(ones, 1);
        return constant(ones, shape);
    }

    /**
     * Returns a node of {@link #sameDiff()} as a tensor of this graph, for users who write operations of their own and
     * for layers inside somebody else's model. One extent may be -1, a batch whose size is known only when the graph
     * runs.
     */
    public Tensor adopt(SDVariable variable, long... shape) {
        requireOneRun(variable);
        return new Tensor(this, variable, shape);
    }

    /** Returns the parameters in the order in which they were first named. */
    public ParameterLayout layout() {
        return new ParameterLayout(parameters);
    }

    /** Returns the names of all trainable variables, also of those that a user added to {@link #sameDiff()}. */
    public Set<String> trained() {
        return sameDiff.variables().stream().filter(v -> v.getVariableType() == VariableType.VARIABLE)
                .map(SDVariable::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the place of this view in the whole, "" or ending in "/". */
    public String scope() {
        return scope;
    }

    /** Returns the underlying SameDiff model. */
    public SameDiff sameDiff() {
        return sameDiff;
    }

    /** Returns the type of all numbers. */
    public Precision precision() {
        return precision;
    }

    /** Returns how many runs there are, each with parameters and placeholders of its own. */
    public int runs() {
        return runs;
    }

    /** The shape of all runs. */
    long[] ofRuns(long... shape) {
        return runs == 1 ? shape : Shapes.insert(shape, 0, runs);
    }

    private void requireOneRun(SDVariable variable) {
        Check.that(runs == 1, variable.name(), " is of a model of one run; this graph has ", runs);
    }

    /** Returns the number of operations so far. */
    public int operationCount() {
        return sameDiff.getOps().size();
    }

    Map<String, Tensor> placeholders() {
        return placeholderTensors;
    }
}
