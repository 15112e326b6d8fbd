package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where a gradient training stands: an immutable value; its arrays are never changed once it exists.
 *
 * @param seed where all randomness comes from
 * @param step steps done
 * @param parameters flat, in the order of the plan's layout
 * @param optimiser the optimiser's state vectors
 * @param updates updates the optimiser has made
 * @param value the last step's estimate of what is maximised; NaN before the first
 * @param best the best so far
 * @param parts what else the task remembers, by name
 * @param nanos time spent in steps, all resumed parts together
 */
public record TrainingState(Seed seed, long step, double[] parameters, double[][] optimiser, long updates,
        double value, Best best, Map<String, double[]> parts, long nanos) implements Serializable {

    private static final String PART = "part.";

    /**
     * The best so far: the parameters with the best bound, or the latest while no bound was finite; that bound,
     * -infinity before the first; and how many steps had led there.
     */
    public record Best(double[] parameters, double value, long step) {}

    /** The state before the first step. */
    static TrainingState first(Seed seed, double[] parameters, int slots, Map<String, double[]> parts) {
        return new TrainingState(seed, 0, parameters, new double[slots][parameters.length], 0, Double.NaN,
                new Best(parameters, Double.NEGATIVE_INFINITY, 0), parts, 0);
    }

    /** Returns the first state of a task's next stage: the optimiser and the best are forgotten. */
    public TrainingState restarted(double[] next, Map<String, double[]> remembered) {
        return new TrainingState(seed, step, next, new double[optimiser.length][next.length], 0, value,
                new Best(next, Double.NEGATIVE_INFINITY, step), remembered, nanos);
    }

    /** Returns a copy of the state with another best and another time. */
    TrainingState with(Best other, long time) {
        return new TrainingState(seed, step, parameters, optimiser, updates, value, other, parts, time);
    }

    /** Returns a copy of the state with other randomness. */
    TrainingState with(Seed other) {
        return new TrainingState(other, step, parameters, optimiser, updates, value, best, parts, nanos);
    }

    /** Returns the values of a part by name. */
    public double[] part(String name) {
        double[] values = parts.get(name);
        Check.that(values != null, "no part '" + name + "' among " + parts.keySet());
        return values;
    }

    StopRule.Progress progress() {
        return new StopRule.Progress(step, best.step(), Double.POSITIVE_INFINITY);
    }

    /** Everything by name; what says whose state it is comes from the caller. */
    Checkpoint save(String configuration, ParameterLayout layout, TrainingSettings settings) {
        Checkpoint saved = Checkpoint.of(configuration, seed, step, layout, parameters)
                .optimiser(settings.precision(), settings.optimiser().toString(), optimiser, updates)
                .array("value", value).array("best.value", best.value()).number("best.step", best.step())
                .number("nanos", nanos);
        if (!Arrays.equals(best.parameters(), parameters)) {
            saved = saved.array("best.parameters", best.parameters());
        }
        for (Map.Entry<String, double[]> part : parts.entrySet()) {
            saved = saved.array(PART + part.getKey(), part.getValue());
        }
        return saved;
    }

    /** The state of a checkpoint, whatever run it is of. */
    public static TrainingState of(Checkpoint saved) {
        double[] parameters = saved.parameters();
        Map<String, double[]> parts = new TreeMap<>();
        for (String name : saved.arrayNames()) {
            if (name.startsWith(PART)) {
                parts.put(name.substring(PART.length()), saved.array(name));
            }
        }
        double[] best = saved.arrayNames().contains("best.parameters") ? saved.array("best.parameters") : parameters;
        return new TrainingState(saved.seed(), saved.step(), parameters, saved.optimiserState(), saved.updates(),
                saved.array("value")[0], new Best(best, saved.array("best.value")[0], saved.number("best.step")), parts,
                saved.number("nanos"));
    }

    /** What is sent in its place: vectors that are floats as floats. */
    private record Packed(long seed, long step, Serializable parameters, Serializable[] optimiser, long updates,
            double value, Serializable best, double bestValue, long bestStep, TreeMap<String, double[]> parts,
            long nanos) implements Serializable {

        static Serializable packed(double[] values) {
            float[] floats = new float[values.length];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) values[i];
                if (floats[i] != values[i]) {
                    return values;
                }
            }
            return floats;
        }

        static double[] unpacked(Serializable packed) {
            if (packed instanceof double[] values) {
                return values;
            }
            float[] floats = (float[]) packed;
            double[] values = new double[floats.length];
            Arrays.setAll(values, i -> floats[i]);
            return values;
        }

        private Object readResolve() {
            double[] flat = unpacked(parameters);
            return new TrainingState(new Seed(seed), step, flat,
                    Stream.of(optimiser).map(Packed::unpacked).toArray(double[][]::new), updates, value,
                    new Best(best == null ? flat : unpacked(best), bestValue, bestStep), parts, nanos);
        }
    }

    private Object writeReplace() {
        return new Packed(seed.value(), step, Packed.packed(parameters),
                Stream.of(optimiser).map(Packed::packed).toArray(Serializable[]::new), updates, value,
                Arrays.equals(best.parameters(), parameters) ? null : Packed.packed(best.parameters()), best.value(),
                best.step(), new TreeMap<>(parts), nanos);
    }
}
