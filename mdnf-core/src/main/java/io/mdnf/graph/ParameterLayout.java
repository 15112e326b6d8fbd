package io.mdnf.graph;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the parameters of a model lie in one flat vector, in the order in which the model names them.
 *
 * <p>A flat vector is what optimisers update and checkpoints store.
 *
 * <pre>{@code
 * double[] start = layout.initial(seed);
 * double[] logits = layout.read("logits", start);
 * }</pre>
 */
public final class ParameterLayout {

    private final List<Parameter> parameters;
    private final Map<String, Integer> offsets = new LinkedHashMap<>();
    private final int size;

    /** Lays parameters, with distinct names, out one after the other. */
    public ParameterLayout(List<Parameter> parameters) {
        this.parameters = List.copyOf(parameters);
        int offset = 0;
        for (Parameter p : this.parameters) {
            Check.that(offsets.put(p.name(), offset) == null, "two parameters are named '" + p.name() + "'");
            offset = Math.addExact(offset, p.size());
        }
        size = offset;
    }

    /** Returns the parameters in order. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** Returns the length of the flat vector. */
    public int size() {
        return size;
    }

    /** Returns where a parameter starts in the flat vector. */
    public int offset(String name) {
        Integer offset = offsets.get(name);
        Check.that(offset != null, "no parameter '", name, "' among ", offsets.keySet());
        return offset;
    }

    /** Returns one parameter by name. */
    public Parameter parameter(String name) {
        offset(name);
        return parameters.stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    }

    /** Returns first values of all parameters, [size], each from its own stream. */
    public double[] initial(Seed seed) {
        double[] flat = new double[size];
        for (Parameter p : parameters) {
            double[] values = p.initialiser().values(new Draws(seed.fold(p.name())), p.shape());
            System.arraycopy(values, 0, flat, offset(p.name()), values.length);
        }
        return flat;
    }

    /** Returns a copy of one parameter's part of a flat vector [size], row-major. */
    public double[] read(String name, double[] flat) {
        check(flat);
        return Arrays.copyOfRange(flat, offset(name), offset(name) + parameter(name).size());
    }

    /** Returns a new flat vector [size] with one parameter's values, row-major, replaced. */
    public double[] with(String name, double[] values, double[] flat) {
        check(flat);
        Check.that(values.length == parameter(name).size(), "values: " + values.length + " given for parameter "
                + parameter(name));
        double[] changed = flat.clone();
        System.arraycopy(values, 0, changed, offset(name), values.length);
        return changed;
    }

    private void check(double[] flat) {
        Check.that(flat.length == size, "flat has ", flat.length, " values, the layout has ", size);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ParameterLayout layout && toString().equals(layout.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return parameters + ", " + size + " values";
    }
}
