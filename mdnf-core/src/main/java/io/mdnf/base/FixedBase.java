package io.mdnf.base;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A base distribution that is not trained: given probabilities, draws from a Dirichlet distribution, uniform, or deltas
 * (see {@link Deltas}).
 *
 * <p>Example: {@code FixedBase.dirichlet(space, 8, 0.01, Seed.of(1))} for nearly-deltas.
 */
public final class FixedBase implements Base {

    /** How far a row of probabilities may be from summing to 1 before it is taken for a mistake. */
    private static final double TOLERANCE = 1e-9;
    /** What normalising can leave between a sum and 1. */
    private static final double ROUNDING = 1e-14;

    private final CodeSpace codes;
    private final int components;
    private final double[] probabilities;
    private final String kind;
    private final boolean delta;

    FixedBase(String kind, CodeSpace codes, int components, double[] probabilities) {
        checkComponents(components);
        Check.that(probabilities.length == components * codes.oneHotLength(), "probabilities: " + probabilities.length
                + " given, [B, D, K] = [" + components + ", " + codes.variables() + ", " + codes.width() + "] needs "
                + components * codes.oneHotLength());
        this.kind = kind;
        this.codes = codes;
        this.components = components;
        this.probabilities = normalised(codes, probabilities);
        this.delta = Arrays.stream(this.probabilities).allMatch(p -> p == 0 || p == 1);
    }

    static void checkComponents(int components) {
        Check.that(components >= 1, "components = " + components + ": a mixture needs at least 1");
    }

    private static double[] normalised(CodeSpace codes, double[] given) {
        double[] p = given.clone();
        int width = codes.width();
        for (int row = 0; row < p.length / width; row++) {
            int d = row % codes.variables();
            double sum = 0;
            for (int k = 0; k < width; k++) {
                double value = p[row * width + k];
                if (!(value >= 0) || k >= codes.cardinality(d) && value != 0) {
                    throw new IllegalArgumentException("probabilities of component " + row / codes.variables()
                            + ", variable " + d + ", category " + k + " = " + value + ": must be "
                            + (k < codes.cardinality(d) ? "at least 0" : "0, there are only "
                                    + codes.cardinality(d) + " categories"));
                }
                sum += value;
            }
            Check.that(Math.abs(sum - 1) <= TOLERANCE, "probabilities of component ", row / codes.variables(),
                    ", variable ", d, " sum to ", sum, ", not 1");
            // rows that were normalised before stay as they are, so that a stored base is the same base
            for (int k = 0; k < width && Math.abs(sum - 1) > ROUNDING; k++) {
                p[row * width + k] /= sum;
            }
        }
        return p;
    }

    /** Returns given probabilities, flat [B, D, K], rows summing to 1. */
    public static FixedBase categorical(CodeSpace codes, int components, double... probabilities) {
        return new FixedBase("categorical", codes, components, probabilities);
    }

    /** Returns equal probabilities. */
    public static FixedBase uniform(CodeSpace codes, int components) {
        return new FixedBase("uniform", codes, components, rows(codes, components, (b, d) -> {
            double[] p = new double[codes.cardinality(d)];
            Arrays.fill(p, 1.0 / p.length);
            return p;
        }));
    }

    /** Returns draws from a symmetric Dirichlet distribution: nearly deltas for small alpha, uniform for large. */
    public static FixedBase dirichlet(CodeSpace codes, int components, double alpha, Seed seed) {
        Draws draws = new Draws(seed);
        return new FixedBase("Dirichlet(" + alpha + ")", codes, components, rows(codes, components,
                (b, d) -> draws.under("component" + b).dirichlet("variable" + d, codes.cardinality(d), alpha)));
    }

    /** One distribution per component and variable, flat [B, D, K]. */
    private static double[] rows(CodeSpace codes, int components, BiFunction<Integer, Integer, double[]> row) {
        double[] p = new double[Math.max(0, components) * codes.oneHotLength()];
        for (int b = 0; b < components; b++) {
            for (int d = 0; d < codes.variables(); d++) {
                double[] values = row.apply(b, d);
                System.arraycopy(values, 0, p, (b * codes.variables() + d) * codes.width(), values.length);
            }
        }
        return p;
    }

    @Override
    public CodeSpace space() {
        return codes;
    }

    @Override
    public int components() {
        return components;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    @Override
    public Tensor probabilities(Graph graph) {
        return graph.constant(probabilities, components, codes.variables(), codes.width());
    }

    @Override
    public double[] probabilities(ParameterValues values) {
        return probabilities.clone();
    }

    @Override
    public boolean isDelta() {
        return delta;
    }

    @Override
    public boolean isZero() {
        int width = codes.width();
        return IntStream.range(0, probabilities.length / width).allMatch(row -> probabilities[row * width] == 1);
    }

    @Override
    public String toString() {
        return kind + " base[B=" + components + ", 0 parameters]";
    }
}
