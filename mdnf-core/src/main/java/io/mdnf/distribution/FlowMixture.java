package io.mdnf.distribution;

import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.CodeSampler;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Structure;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A mixture with values: a distribution over codes that can be sampled, scored and read back. What is sampled is what
 * is scored. Everything is computed in double; a probability of 0 has logarithm -infinity.
 *
 * <p>Holds native memory once used; close it, or let it end with the program. Not for several threads at once.
 *
 * <pre>{@code
 * try (FlowMixture q = new FlowMixture(mixture, parameters)) {
 *     double[] logQ = q.logProb(new int[][] {{0, 2, 1}});
 *     int[][] codes = q.sample(1000, Seed.of(1));
 * }
 * }</pre>
 */
public final class FlowMixture implements CodeDistribution {

    /** Codes scored at once. */
    private static final int BATCH = 512;
    /** Numbers a batch's largest tensor may have, so that wide mixtures take smaller batches. */
    private static final int MOST_NUMBERS = 20_000_000;

    private final Mixture mixture;
    private final double[] parameters;
    private final double[] given;
    private final ParameterValues values;
    private final int batch;
    private ExecutionPlan scoring;
    private Tensor scoringCodes;
    private Tensor scores;
    private CodeSampler sampler;

    /** Joins a mixture that is not conditional with values in the order of {@link Mixture#layout()}. */
    public FlowMixture(Mixture mixture, double[] parameters) {
        this(mixture, parameters, null);
    }

    /** Joins a mixture with values in the order of {@link Mixture#layout()} and, if it is conditional, logits from
     * outside: q(. | y). These are flat [B, D, K], or [D, K] for all components, or features of y if its network takes
     * those; null if the mixture takes none. */
    public FlowMixture(Mixture mixture, double[] parameters, double[] given) {
        Check.that(mixture.isConditional() == (given != null), mixture, given != null ? " takes nothing from outside"
                : " is conditional: it is a distribution only given logits from outside");
        this.mixture = mixture;
        this.parameters = parameters.clone();
        this.given = given == null ? null : given.clone();
        this.values = new ParameterValues(mixture.layout(), this.parameters);
        Check.that(parameters.length == values.layout().size(), "parameters: ", parameters.length, " given, ", mixture,
                " has ", values.layout().size());
        for (double p : parameters) {
            if (!Double.isFinite(p)) {
                throw new IllegalArgumentException("parameters contain " + p + ": only finite numbers are allowed");
            }
        }
        long perCode = (long) mixture.components() * mixture.space().oneHotLength() * mixture.space().width();
        this.batch = (int) Math.max(1, Math.min(BATCH, MOST_NUMBERS / perCode));
    }

    /** The same parameters, shared, given something else. */
    private FlowMixture(FlowMixture other, double[] given) {
        this.mixture = other.mixture;
        this.parameters = other.parameters;
        this.given = given.clone();
        this.values = other.values;
        this.batch = other.batch;
    }

    /** The same conditional mixture given another y: q(. | y). It shares the parameters and none of the native memory,
     * so that many of them cost little. */
    public FlowMixture given(double[] other) {
        Check.that(given != null && given.length == other.length, "given: ", other.length, " numbers, ", mixture,
                given == null ? " takes nothing from outside" : " was given " + given.length);
        return new FlowMixture(this, other);
    }

    /**
     * Reads a saved flow mixture back of which a flow, network or base is your own: the file has its values, the
     * description is given. Throws, in one sentence, if it gives other probabilities than what was saved.
     */
    public static FlowMixture load(Path file, Mixture mixture) throws StoredFileException {
        return (FlowMixture) DistributionFile.load(file, mixture);
    }

    @Override
    public CodeSpace space() {
        return mixture.space();
    }

    /** Returns the mixture. */
    public Mixture mixture() {
        return mixture;
    }

    /** Returns a copy of the parameter values. */
    public double[] parameters() {
        return parameters.clone();
    }

    /** What a conditional mixture was given, not copied; null if it takes nothing. */
    double[] given() {
        return given;
    }

    /** Returns the weights: rho [B] for JOINT, flat [D, B] for PER_VARIABLE. */
    public double[] weights() {
        return mixture.weights(values);
    }

    @Override
    public double[] logProb(int[][] codes) {
        if (sampler().scores()) {
            return sampler().logProb(values, weights(), codes);
        }
        double[] result = new double[codes.length];
        for (int start = 0; start < codes.length; start += batch) {
            double[] scored = score(CodeSpace.batch(codes, start, batch));
            System.arraycopy(scored, 0, result, start, Math.min(batch, codes.length - start));
        }
        return result;
    }

    private CodeSampler sampler() {
        if (sampler == null) {
            sampler = CodeSampler.of(mixture, given);
        }
        return sampler;
    }

    private double[] score(int[][] part) {
        if (scoring == null) {
            Setting setting = setting();
            scoringCodes = setting.graph().placeholder("codes", batch, space().variables(), space().width());
            MixtureGraph q = mixture.in(setting);
            scores = mixture.structure() == Structure.JOINT
                    ? q.componentProbabilities(scoringCodes).plus(0)
                    : q.variableProbabilities(scoringCodes).plus(0);
            scoring = plan(setting, scores);
        }
        scoring.write(scoringCodes, mixture.space().oneHot(part));
        scoring.run();
        return logProb(scoring.read(scores));
    }

    private Setting setting() {
        return mixture.given(Setting.in(new Graph(Precision.DOUBLE)), given);
    }

    private ExecutionPlan plan(Setting setting, Tensor output) {
        ExecutionPlan plan = ExecutionPlan.forward(setting.graph(), output);
        plan.load(parameters);
        plan.write(setting.inverseTemperature(), 1);
        return plan;
    }

    /** From probabilities of each variable, [D, n, B] for JOINT, [n, D] for PER_VARIABLE, as one component. */
    private double[] logProb(double[] p) {
        int variables = mixture.space().variables();
        boolean joint = mixture.structure() == Structure.JOINT;
        int components = joint ? mixture.components() : 1;
        double[] rho = joint ? weights() : new double[] {1};
        double[] result = new double[batch];
        double[] terms = new double[components];
        for (int i = 0; i < batch; i++) {
            for (int b = 0; b < components; b++) {
                terms[b] = Math.log(rho[b]);
                for (int d = 0; d < variables; d++) {
                    terms[b] += Math.log(p[joint ? (d * batch + i) * components + b : i * variables + d]);
                }
            }
            result[i] = LogSpace.sumExp(terms);
        }
        return result;
    }

    @Override
    public int[][] sample(int count, Seed seed) {
        Draws draws = new Draws(seed);
        if (mixture.isUnlimited()) {
            return drawn(count, draws);
        }
        int variables = mixture.space().variables();
        int[][] component = new int[count][variables];
        double[] rho = weights();
        var rng = draws.stream("component");
        for (int[] chosen : component) {
            if (mixture.structure() == Structure.JOINT) {
                Arrays.fill(chosen, Draws.category(rng, rho, 0, mixture.components()));
            } else {
                for (int d = 0; d < variables; d++) {
                    chosen[d] = Draws.category(rng, rho, d * mixture.components(), mixture.components());
                }
            }
        }
        int[][] base = mixture.baseCodes(values, component, draws);
        int[][] codes = new int[count][];
        for (int start = 0; start < count; start += batch) {
            int[][] sampled = sampler().codes(values, CodeSpace.batch(component, start, batch),
                    CodeSpace.batch(base, start, batch));
            System.arraycopy(sampled, 0, codes, start, Math.min(batch, count - start));
        }
        return codes;
    }

    private int[][] drawn(int count, Draws draws) {
        int[][] codes = new int[count][];
        for (int start = 0; start < count; start += batch) {
            int[][] some = sampler().drawn(values, batch, draws.under("batch" + start));
            System.arraycopy(some, 0, codes, start, Math.min(batch, count - start));
        }
        return codes;
    }

    /** Returns whether this is a product of distributions, one per variable. */
    public boolean isProduct() {
        return mixture.structure() == Structure.PER_VARIABLE && !mixture.looksAtCode();
    }

    /** The product that a PER_VARIABLE mixture is whose networks look at nothing. */
    public Product product() {
        if (!isProduct()) {
            throw new IllegalStateException(mixture + " is not a product of distributions");
        }
        Setting setting = setting();
        Tensor tables = mixture.in(setting).tables(null).q().plus(0);
        try (ExecutionPlan plan = plan(setting, tables)) {
            plan.run();
            return new Product(mixture.space().rows(plan.read(tables), 0));
        }
    }

    /** Returns whether this is a set of weighted atoms. */
    public boolean isAtoms() {
        return mixture.isAtoms();
    }

    /** The atoms that a JOINT mixture of deltas is: at most B distinct ones, heaviest first. */
    public Atoms atoms() {
        return Atoms.merged(mixture.space(), componentAtoms(), weights());
    }

    /** The atom of every component of a JOINT mixture of deltas, [B][D]. */
    public int[][] componentAtoms() {
        if (!mixture.isAtoms()) {
            throw new IllegalStateException(mixture + " is not a set of atoms");
        }
        int components = mixture.components();
        double[] base = mixture.base().probabilities(values.under("base"));
        int[][] u = mixture.space().indices(base);
        int[][] component = new int[components][mixture.space().variables()];
        IntStream.range(0, components).forEach(b -> Arrays.fill(component[b], b));
        return sampler().codes(values, component, u);
    }

    /** The atoms or the product that this is, or all codes if they can be listed: their figures are finite sums. */
    private Optional<CodeDistribution> simpler() {
        if (isAtoms() || isProduct()) {
            return Optional.of(isAtoms() ? atoms() : product());
        }
        CodeSpace space = mixture.space();
        return space.isListable()
                ? Optional.of(Atoms.merged(space, space.all(), table())) : Optional.empty();
    }

    /** The probabilities of all codes in lexicographic order, the last variable fastest. */
    public double[] table() {
        return Arrays.stream(logProb(mixture.space().all())).map(Math::exp).toArray();
    }

    @Override
    public Marginals marginals(int samples, Seed seed) {
        return simpler().map(q -> q.marginals(samples, seed))
                .orElseGet(() -> Marginals.counted(mixture.space(), sample(samples, seed)));
    }

    @Override
    public Estimate entropy(int samples, Seed seed) {
        return simpler().map(q -> q.entropy(samples, seed)).orElseGet(
                () -> Estimate.of(Arrays.stream(logProb(sample(samples, seed))).map(l -> -l).toArray()));
    }

    @Override
    public List<WeightedCode> mostProbable(int count) {
        return simpler().orElseThrow(() -> new IllegalStateException(
                mixture.space() + " has too many codes to list; sample instead")).mostProbable(count);
    }

    /** Releases native memory. */
    @Override
    public void close() {
        if (scoring != null) {
            scoring.close();
            scoring = null;
        }
    }

    @Override
    public String toString() {
        return "FlowMixture of " + mixture;
    }
}
