package io.mdnf.mixture;

import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;

/**
 * A {@link Mixture} laid out in a graph: its log-probability, its conditional tables, its weights and entropy.
 *
 * <p>Probabilities of 0 are kept finite by a floor inside every logarithm: {@link #EXACT} is so small that it changes no
 * probability, and a code outside the support gets about -690 per variable that does not match.
 *
 * <pre>{@code
 * MixtureGraph q = mixture.in(Setting.in(graph));
 * Tensor logQ = q.logProb(x, MixtureGraph.EXACT);   // x [n, D, K] -> [n]
 * }</pre>
 */
public final class MixtureGraph {

    /** The floor of an exact evaluation in double. */
    public static final double EXACT = 1e-300;

    /**
     * The floor while training: large enough that a component one category away from a sample gets a gradient, small
     * enough that the bound stays a bound (the floor can only lower it) and changes by less than 1e-12.
     */
    public static final double TRAINING = 1e-15;

    private final Mixture mixture;
    private final Setting setting;
    private final Setting flowSetting;
    private final CodeSpace space;
    private final int components;
    private final Tensor givenWeights;
    private Tensor carriedBase;

    MixtureGraph(Mixture mixture, Setting setting) {
        this(mixture, setting, null);
    }

    private MixtureGraph(Mixture mixture, Setting setting, Tensor givenWeights) {
        this.givenWeights = givenWeights;
        this.mixture = mixture;
        this.setting = setting;
        this.flowSetting = setting.under("flow");
        this.space = mixture.space();
        this.components = mixture.components();
        // named here first, so that the graph's flat vector starts with the mixture's own layout
        mixture.parameters().forEach(setting.graph()::parameter);
    }

    /**
     * The same tensors with weights from elsewhere, as boosting sets them.
     *
     * @param weights rho, [1, B], of a JOINT mixture
     * @return the mixture's tensors with these weights
     */
    public MixtureGraph withWeights(Tensor weights) {
        if (mixture.structure() != Structure.JOINT) {
            throw new IllegalArgumentException(mixture + " is PER_VARIABLE; only JOINT mixtures take weights from elsewhere");
        }
        return new MixtureGraph(mixture, setting, weights);
    }

    /** Returns whether weights come from elsewhere. */
    boolean hasGivenWeights() {
        return givenWeights != null;
    }

    /** Returns the mixture. */
    public Mixture mixture() {
        return mixture;
    }

    Setting flowSetting() {
        return flowSetting;
    }

    Graph graph() {
        return setting.graph();
    }

    /** The base's probabilities, [B, 1, D, K]. */
    Tensor baseProbabilities() {
        return mixture.base().probabilities(setting.graph().under("base"))
                .reshape(components, 1, space.variables(), space.width());
    }

    /**
     * The weights.
     *
     * @return rho, [1, B] for JOINT and [D, B] for PER_VARIABLE
     */
    public Tensor weights() {
        if (givenWeights != null) {
            return givenWeights;
        }
        long rows = mixture.structure() == Structure.JOINT ? 1 : space.variables();
        if (mixture.weighting() == Weighting.EQUAL) {
            double[] equal = new double[(int) rows * components];
            Arrays.fill(equal, 1.0 / components);
            return graph().constant(equal, rows, components);
        }
        return graph().parameter(mixture.weightLogits()).softmax();
    }

    /**
     * The log-probability of codes.
     *
     * @param x [n, D, K], one-hot, possibly with a straight-through gradient
     * @param floor what is added to every probability of a variable under a component (JOINT) or under the mixture
     *     (PER_VARIABLE); {@link #EXACT} or {@link #TRAINING}
     * @return log q(x), [n]
     */
    public Tensor logProb(Tensor x, double floor) {
        return mixture.structure() == Structure.JOINT
                ? joint(componentLogProb(x, floor))
                : variableProbabilities(x).log(floor).sum(1);
    }

    /** Repeats tables [1, D, K] to [n, D, K] if need be. */
    static Tensor spreadRows(Tensor tables, long n) {
        return tables.extent(0) == n ? tables : tables.reshape(tables.extent(1), tables.extent(2)).repeatLeading(n);
    }

    private Tensor joint(Tensor componentLogProb) {
        long n = componentLogProb.extent(0);
        Tensor logWeights = mixture.weighting() == Weighting.EQUAL || givenWeights != null
                ? weights().log(graph().precision().tiny())
                : graph().parameter(mixture.weightLogits()).logSoftmax();
        return componentLogProb.plus(logWeights.reshape(components).repeatLeading(n)).logSumExp();
    }

    /**
     * The log-probability of codes under each component by itself.
     *
     * @param x [n, D, K]
     * @param floor as for {@link #logProb}
     * @return log p_u^b(inverse^b(x)), [n, B]
     */
    public Tensor componentLogProb(Tensor x, double floor) {
        return componentProbabilities(x).log(floor).sum(0);
    }

    /**
     * The probability of each variable under each component of a JOINT mixture, by reversing the flows.
     *
     * @param x [n, D, K]
     * @return p_u^b(inverse^b(x))_d, [D, n, B]
     */
    public Tensor componentProbabilities(Tensor x) {
        long n = x.extent(0);
        if (looksAtNothing()) {
            // nothing depends on x: carry the base forward once, then one product scores all samples and components
            Tensor q = carriedBase().reshape(components, space.variables(), space.width()).permute(1, 0, 2);
            return x.permute(1, 0, 2).matmulTransposed(q);
        }
        if (mixture.flow() instanceof ShiftFlow shift) {
            return shiftProbabilities(shift, x);
        }
        Tensor u = mixture.flow().inverse(flowSetting, x.repeatLeading(components));
        Tensor base = baseProbabilities().reshape(components, space.variables(), space.width()).repeatAt(1, n);
        return u.times(base).sum(3).permute(2, 1, 0);
    }

    /** The same for shifts, sum_j mu_j p_u(x - j): one product with the base's tables instead of modular arithmetic. */
    private Tensor shiftProbabilities(ShiftFlow flow, Tensor x) {
        long n = x.extent(0);
        int variables = space.variables();
        int width = space.width();
        Tensor tables = new ModularArithmetic(space)
                .shiftedTables(baseProbabilities().reshape(components, variables, width));
        Tensor given = x.permute(1, 0, 2).matmul(tables).reshape(variables, n, components, width).permute(2, 1, 0, 3);
        Tensor shift = flow.shift(flowSetting, mixture.looksAtCode() ? x : null);
        if (shift.extent(1) != n) {
            shift = shift.reshape(components, variables, width).repeatAt(1, n);
        }
        return shift.times(given).sum(3).permute(2, 1, 0);
    }

    /**
     * The probability of each variable of a PER_VARIABLE mixture given the ones before it.
     *
     * @param x [n, D, K]
     * @return q_d(x_d | x_&lt;d), [n, D]
     */
    public Tensor variableProbabilities(Tensor x) {
        return x.times(spreadRows(tables(x), x.extent(0))).sum(2);
    }

    /**
     * The conditional distributions of a PER_VARIABLE mixture, q_d(. | x_&lt;d) for every code and variable.
     *
     * @param x what the networks look at, [n, D, K]
     * @return [n, D, K], or [1, D, K] if the networks look at nothing
     */
    public Tensor tables(Tensor x) {
        if (mixture.structure() != Structure.PER_VARIABLE) {
            throw new IllegalArgumentException(mixture + " has no table per variable; only PER_VARIABLE mixtures do");
        }
        if (looksAtNothing()) {
            return mix(carriedBase());
        }
        return mix(carry(mixture.looksAtCode() ? x : null));
    }

    /**
     * The entropy of a PER_VARIABLE mixture along sampled codes: sum_d H(q_d(. | x_&lt;d)), whose expectation over x ~ q is
     * H(q), exact for mixtures that look at nothing and less noisy than -log q(x) for the others. Its gradient by q_d(k),
     * -log q_d(k) - 1, goes with that of a multilinear log joint, log p(D, x with x_d = k); that of -log q(x) by the
     * sampled code does not, and together they would lead to the wrong q.
     *
     * @param tables q_d(. | x_&lt;d), [n or 1, D, K]
     * @param floor what is added to every probability in the logarithm; in a gradient about 1 / B keeps components from
     *     chasing categories that one of them alone would overfill
     * @return [n or 1]
     */
    public Tensor conditionalEntropy(Tensor tables, double floor) {
        return tables.times(tables.log(floor)).sum(2).sum(1).times(-1);
    }

    /** sum_b rho_bd of tensors [B, n, D, K]. */
    Tensor mix(Tensor perComponent) {
        if (mixture.weighting() == Weighting.EQUAL) {
            return perComponent.sum(0).times(1.0 / components);
        }
        long n = perComponent.extent(1);
        Tensor rho = weights().permute(1, 0).repeatAt(1, n).repeatAt(3, space.width());
        return perComponent.times(rho).sum(0);
    }

    /** Returns whether {@link #entropy} is available: nothing to sample, the entropy is a sum. */
    public boolean hasExactEntropy() {
        return mixture.structure() == Structure.PER_VARIABLE
                ? !mixture.looksAtCode() && mixture.flow().dependence() != Dependence.OBSERVATION
                : mixture.isAtoms() && mixture.flow().dependence() == Dependence.NONE;
    }

    /**
     * The exact entropy: -sum_d sum_k q_d log q_d for PER_VARIABLE with direct logits, -sum_b rho_b log q(x_b) over the
     * atoms x_b for JOINT with direct logits and deltas.
     *
     * @param floor as for {@link #logProb}
     * @return H(q), shape []
     */
    public Tensor entropy(double floor) {
        if (!hasExactEntropy()) {
            throw new IllegalStateException("the entropy of " + mixture + " has no closed form; estimate it by sampling");
        }
        if (mixture.structure() == Structure.PER_VARIABLE) {
            Tensor q = tables(null);
            return q.times(q.log(floor)).sum().times(-1);
        }
        Tensor atoms = atoms();
        return logProb(atoms, floor).times(weights().reshape(components)).sum().times(-1);
    }

    /** Whether the flows are the same for every code, so that the base is carried forward once for all. */
    boolean looksAtNothing() {
        return mixture.flow() instanceof VariableWiseFlow && mixture.flow().dependence() == Dependence.NONE;
    }

    /** The base carried forward by flows that look at nothing, [B, 1, D, K]: each component's distribution of x. */
    Tensor carriedBase() {
        if (carriedBase == null) {
            carriedBase = carry(null);
        }
        return carriedBase;
    }

    /** The base carried forward, [B, n or 1, D, K]; a shift of category 0 is the shift itself. */
    private Tensor carry(Tensor code) {
        return mixture.flow() instanceof ShiftFlow shift && mixture.base().isZero()
                ? shift.shift(flowSetting, code)
                : ((VariableWiseFlow) mixture.flow()).carry(flowSetting, baseProbabilities(), code);
    }

    /** The atoms of a JOINT mixture of deltas with direct logits, [B, D, K]. */
    private Tensor atoms() {
        return (looksAtNothing() ? carriedBase() : mixture.flow().forward(flowSetting, baseProbabilities()))
                .reshape(components, space.variables(), space.width());
    }

    /**
     * Lays out sampling.
     *
     * @param samples S
     * @param estimator where the gradient of a sampled code goes
     * @return codes, weights, and how to draw them
     */
    public Sampling sample(int samples, Estimator estimator) {
        return Sampling.of(this, samples, estimator);
    }
}
