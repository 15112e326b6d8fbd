package io.mdnf.checkpoint;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything a run needs to go on as if it had never stopped: parameters, optimiser state, step, seed, configuration.
 *
 * <p>A value: arrays are copied on the way in and out. Non-finite parameters or optimiser state are refused, so that no
 * run ever resumes from a diverged state.
 *
 * <pre>{@code
 * Checkpoint checkpoint = Checkpoint.of(plan.layout(), plan.parameters())
 *         .configuration(json).seed(seed).step(step)
 *         .optimiser("Adam", plan.optimiserState(), plan.updates())
 *         .array("best.parameters", best).array("best.elbo", bestElbo)
 *         .build();
 * }</pre>
 */
public final class Checkpoint {

    private final String configuration;
    private final Seed seed;
    private final long step;
    private final ParameterLayout layout;
    private final Precision precision;
    private final double[] parameters;
    private final String optimiser;
    private final double[][] optimiserState;
    private final long updates;
    private final SortedMap<String, double[]> arrays;
    private final SortedMap<String, Long> numbers;

    private Checkpoint(Builder from) {
        configuration = from.configuration;
        seed = from.seed;
        step = from.step;
        precision = from.precision;
        parameters = from.parameters;
        optimiser = from.optimiser;
        optimiserState = from.optimiserState;
        updates = from.updates;
        arrays = new TreeMap<>(from.arrays);
        numbers = new TreeMap<>(from.numbers);
        layout = new ParameterLayout(from.layout.parameters().stream().map(this::stored).toList());
    }

    /** The parameter as a layout of its own would start it: at the stored values. */
    private Parameter stored(Parameter parameter) {
        return parameter.startingAt((draws, shape) -> parameters(parameter.name()));
    }

    /**
     * Starts a checkpoint.
     *
     * @param layout names and shapes of the parameters
     * @param parameters their values, flat [layout.size()], finite
     * @return a builder; everything else has a neutral default
     */
    public static Builder of(ParameterLayout layout, double[] parameters) {
        return new Builder(layout, parameters.clone());
    }

    /** As {@link #of}, for arrays nobody else holds. */
    static Builder owning(ParameterLayout layout, double[] parameters) {
        return new Builder(layout, parameters);
    }

    /** Returns what was run, as the caller's JSON text; "{}" unless set. */
    public String configuration() {
        return configuration;
    }

    /** Returns the seed of the run. */
    public Seed seed() {
        return seed;
    }

    /** Returns how many steps were done. */
    public long step() {
        return step;
    }

    /** Returns names and shapes of the parameters; its initial values are the stored ones. */
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns the model's floating point type: FLOAT parameters and optimiser state take 32 bits each. */
    public Precision precision() {
        return precision;
    }

    /** Returns a copy of the parameters, flat [layout().size()]. */
    public double[] parameters() {
        return parameters.clone();
    }

    /**
     * One parameter.
     *
     * @param name its name in the layout
     * @return a copy of its values, row-major
     */
    public double[] parameters(String name) {
        return layout.read(name, parameters);
    }

    /** Returns the name of the optimiser's rule, "" if there is none. */
    public String optimiser() {
        return optimiser;
    }

    /** Returns a copy of the optimiser's state, [slots][layout().size()]. */
    public double[][] optimiserState() {
        return copy(optimiserState);
    }

    /** Returns how many updates the optimiser has made. */
    public long updates() {
        return updates;
    }

    /** Returns the names of the extra arrays, sorted. */
    public Set<String> arrayNames() {
        return Collections.unmodifiableSet(arrays.keySet());
    }

    /**
     * An extra array.
     *
     * @param name its name
     * @return a copy
     */
    public double[] array(String name) {
        return find(arrays, "array", name).clone();
    }

    /** Returns the names of the extra whole numbers, sorted. */
    public Set<String> numberNames() {
        return Collections.unmodifiableSet(numbers.keySet());
    }

    /**
     * An extra whole number.
     *
     * @param name its name
     * @return the number
     */
    public long number(String name) {
        return find(numbers, "number", name);
    }

    /**
     * Checks that this checkpoint belongs to a model.
     *
     * @param model the layout of the model that is to go on
     * @throws IllegalArgumentException with the first difference
     */
    public void requireLayout(ParameterLayout model) {
        int common = Math.min(layout.parameters().size(), model.parameters().size());
        for (int i = 0; i < common; i++) {
            String stored = layout.parameters().get(i).toString();
            String wanted = model.parameters().get(i).toString();
            if (!stored.equals(wanted)) {
                throw new IllegalArgumentException("the checkpoint is of another model: its parameter " + i + " is "
                        + stored + ", the model's is " + wanted);
            }
        }
        if (layout.parameters().size() != model.parameters().size()) {
            throw new IllegalArgumentException("the checkpoint is of another model: it has "
                    + layout.parameters().size() + " parameters, the model has " + model.parameters().size());
        }
    }

    double[] rawParameters() {
        return parameters;
    }

    double[][] rawOptimiserState() {
        return optimiserState;
    }

    Map<String, double[]> rawArrays() {
        return arrays;
    }

    Map<String, Long> rawNumbers() {
        return numbers;
    }

    private static <T> T find(Map<String, T> map, String what, String name) {
        T value = map.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + what + " '" + name + "' among " + map.keySet());
        }
        return value;
    }

    private static double[][] copy(double[][] state) {
        return Arrays.stream(state).map(double[]::clone).toArray(double[][]::new);
    }

    @Override
    public String toString() {
        return "Checkpoint(step " + step + ", " + layout.size() + " parameters, " + precision + ", "
                + (optimiser.isEmpty() ? "no optimiser" : optimiser + " after " + updates + " updates") + ")";
    }

    /** Collects the parts of a checkpoint. */
    public static final class Builder {

        private final ParameterLayout layout;
        private final double[] parameters;
        private final Map<String, double[]> arrays = new TreeMap<>();
        private final Map<String, Long> numbers = new TreeMap<>();
        private String configuration = "{}";
        private Seed seed = new Seed(0);
        private long step;
        private Precision precision = Precision.DOUBLE;
        private String optimiser = "";
        private double[][] optimiserState = {};
        private long updates;

        private Builder(ParameterLayout layout, double[] parameters) {
            this.layout = layout;
            this.parameters = parameters;
        }

        /**
         * What was run.
         *
         * @param json any text, by convention JSON
         * @return this
         */
        public Builder configuration(String json) {
            configuration = Objects.requireNonNull(json, "configuration");
            return this;
        }

        /**
         * The run's seed.
         *
         * @param runSeed the seed
         * @return this
         */
        public Builder seed(Seed runSeed) {
            seed = Objects.requireNonNull(runSeed, "seed");
            return this;
        }

        /**
         * How far the run is.
         *
         * @param stepsDone the number of steps done, at least 0
         * @return this
         */
        public Builder step(long stepsDone) {
            step = stepsDone;
            return this;
        }

        /**
         * The model's floating point type, DOUBLE unless set.
         *
         * @param type FLOAT if every parameter and every number of the optimiser's state is a float
         * @return this
         */
        public Builder precision(Precision type) {
            precision = Objects.requireNonNull(type, "precision");
            return this;
        }

        /**
         * The optimiser.
         *
         * @param rule the name of its rule
         * @param state its vectors, [slots][layout.size()], finite
         * @param updatesDone how many updates it has made, at least 0
         * @return this
         */
        public Builder optimiser(String rule, double[][] state, long updatesDone) {
            optimiser = Objects.requireNonNull(rule, "optimiser");
            optimiserState = copy(state);
            updates = updatesDone;
            return this;
        }

        /**
         * An extra array, such as the best parameters so far; infinities are allowed here.
         *
         * @param name its name
         * @param values its values, copied
         * @return this
         */
        public Builder array(String name, double... values) {
            arrays.put(Objects.requireNonNull(name, "name"), values.clone());
            return this;
        }

        /**
         * An extra whole number, such as the step of the last improvement.
         *
         * @param name its name
         * @param value the number
         * @return this
         */
        public Builder number(String name, long value) {
            numbers.put(Objects.requireNonNull(name, "name"), value);
            return this;
        }

        /**
         * Checks everything and makes the checkpoint.
         *
         * @return the checkpoint
         * @throws IllegalArgumentException if a length does not fit the layout, or a parameter or a number of the
         *         optimiser's state is not finite or not of the stated precision
         */
        public Checkpoint build() {
            atLeastZero("step", step);
            atLeastZero("updates", updates);
            check("parameters", parameters);
            for (int slot = 0; slot < optimiserState.length; slot++) {
                check("optimiserState[" + slot + "]", optimiserState[slot]);
            }
            return new Checkpoint(this);
        }

        private void check(String what, double[] values) {
            if (values.length != layout.size()) {
                throw new IllegalArgumentException(
                        what + " has " + values.length + " values, the layout has " + layout.size());
            }
            for (int i = 0; i < values.length; i++) {
                if (!Double.isFinite(values[i])) {
                    throw new IllegalArgumentException(what + "[" + i + "] = " + values[i] + ", in parameter "
                            + parameterAt(i) + ": a checkpoint holds finite values only");
                }
                if (precision == Precision.FLOAT && (float) values[i] != values[i]) {
                    throw new IllegalArgumentException(what + "[" + i + "] = " + values[i] + ", in parameter "
                            + parameterAt(i) + ": not a 32-bit number, as precision FLOAT promises");
                }
            }
        }

        private Parameter parameterAt(int index) {
            int end = 0;
            for (Parameter parameter : layout.parameters()) {
                end += parameter.size();
                if (index < end) {
                    return parameter;
                }
            }
            throw new IllegalStateException("index " + index + " is outside " + layout);
        }

        private static void atLeastZero(String what, long value) {
            if (value < 0) {
                throw new IllegalArgumentException(what + " = " + value + ": must be at least 0");
            }
        }
    }
}
