package io.mdnf.mixture;

import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Affine;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Nade;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.List;

/**
 * A {@link Mixture} laid out in a graph: its log-probability, its tables, its sampled codes, its weights and entropy.
 * The one place where flows are averaged, chosen and scored, conditional or not.
 *
 * <p>Probabilities of 0 are kept finite by a floor inside every logarithm: that of the graph's precision is so small
 * that it changes no probability; in double a code outside the support gets about -690 per variable that differs.
 *
 * <pre>{@code
 * MixtureGraph q = mixture.in(Setting.in(graph));
 * Tensor logQ = q.logProb(x, graph.precision().tiny());   // x [n, D, K] -> [n]
 * }</pre>
 */
public final class MixtureGraph {

    /** The floor while training: large enough that a component one category away from a sample gets a gradient, small
     * enough that the bound stays a bound (the floor can only lower it) and changes by less than 1e-12. */
    public static final double TRAINING = LogSpace.FLOOR;

    private final Mixture mixture;
    private final Setting setting;
    private final Setting flowSetting;
    private final CodeSpace space;
    private final int components;
    private final Tensor givenWeights;
    private Tensor second;
    private Tensor carriedBase;
    private Tables tables;
    private Tensor tablesOf;

    MixtureGraph(Mixture mixture, Setting setting, Tensor givenWeights) {
        this.givenWeights = givenWeights;
        this.mixture = mixture;
        this.setting = setting;
        this.flowSetting = setting.under("flow");
        this.space = mixture.space();
        this.components = mixture.components();
        // named here first, so that the graph's flat vector starts with the mixture's own layout
        mixture.parameters().forEach(setting.graph()::parameter);
    }

    /** The same tensors of a JOINT mixture with weights rho [1, B] from elsewhere, as boosting sets them. */
    public MixtureGraph withWeights(Tensor weights) {
        Check.that(mixture.structure() == Structure.JOINT, mixture,
                " is PER_VARIABLE; only JOINT mixtures take weights from elsewhere");
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

    /** The weights rho, [1, B] for JOINT and [D, B] for PER_VARIABLE. */
    public Tensor weights() {
        if (givenWeights != null) {
            return givenWeights;
        }
        if (mixture.weighting() == Weighting.EQUAL) {
            double[] equal = mixture.weights(null);
            return graph().constant(equal, equal.length / components, components);
        }
        return graph().parameter(mixture.weightLogits()).softmax();
    }

    /**
     * The log-probability [n] of codes x [n, D, K], one-hot, possibly with a straight-through gradient. The floor, that
     * of the graph's precision or {@link #TRAINING}, is added to every probability of a variable under a component
     * (JOINT) or under the mixture (PER_VARIABLE).
     */
    public Tensor logProb(Tensor x, double floor) {
        return mixture.structure() == Structure.JOINT
                ? joint(scoresAll() ? componentProbabilities(x).log(floor).sum(0)
                        : perComponent(x).log(floor).sum(2).permute(1, 0))
                : variableProbabilities(x).log(floor).sum(1);
    }

    private Tensor joint(Tensor componentLogProb) {
        long n = componentLogProb.extent(0);
        Tensor logWeights = mixture.weighting() == Weighting.EQUAL || givenWeights != null
                ? weights().log(graph().precision().tiny())
                : graph().parameter(mixture.weightLogits()).logSoftmax();
        return componentLogProb.plus(logWeights.reshape(components).repeatLeading(n)).logSumExp();
    }

    /** Whether nothing depends on x, so that one product scores all samples and components. */
    private boolean scoresAll() {
        return movesByItself() && carriedBase().extent(1) == 1;
    }

    /** Each variable's probability under each component of a JOINT mixture, p_u^b(inverse^b(x))_d, [D, n, B]. */
    public Tensor componentProbabilities(Tensor x) {
        return scoresAll() ? x.permute(1, 0, 2).matmulTransposed(carriedBase()
                .reshape(components, space.variables(), space.width()).permute(1, 0, 2))
                : perComponent(x).permute(2, 1, 0);
    }

    /** The same as [B, n, D]. */
    private Tensor perComponent(Tensor x) {
        if (movesByItself()) {
            return carriedBase().times(x.repeatLeading(components)).sum(3);
        }
        if (mixture.flow() instanceof ShiftFlow shift) {
            return shiftProbabilities(shift, x);
        }
        Tensor u = mixture.flow().inverse(flowSetting, x.repeatLeading(components));
        Tensor base = baseProbabilities().reshape(components, space.variables(), space.width())
                .repeatAt(1, x.extent(0));
        return u.times(base).sum(3);
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
        return shift.spread(1, n).times(given).sum(3);
    }

    /** The probability of each variable of a PER_VARIABLE mixture given those before it, q_d(x_d | x_&lt;d), [n, D]. */
    public Tensor variableProbabilities(Tensor x) {
        return x.times(tables(x).q().spread(0, x.extent(0))).sum(2);
    }

    /** The conditional distributions q_d(. | x_&lt;d, y) of a PER_VARIABLE mixture, at codes x [n, D, K], or null if no
     * code is looked at: a row for each code, or for each row of what is given, or one for all. */
    public Tables tables(Tensor x) {
        Check.that(mixture.structure() == Structure.PER_VARIABLE, mixture,
                " has no table per variable; only PER_VARIABLE mixtures do");
        Tensor code = mixture.looksAtCode() ? x : null;
        if (tables == null || tablesOf != code) {
            tables = tabled(code);
            tablesOf = code;
        }
        return tables;
    }

    /** A trained base has no category of probability 0, so its entropy needs no floor. */
    private Tables tabled(Tensor code) {
        if (mixture.isUnlimited()) {
            return Tables.unlimited(logits(code), setting.inverseTemperature());
        }
        return mixture.base().parameters().isEmpty() ? new Tables(averaged(code), components)
                : new Tables(averaged(code), graph().precision().tiny());
    }

    /** The logits of flows without number at a code, or at none: [n or 1, D, K], those of impossible categories low. */
    private Tensor logits(Tensor code) {
        Tensor all = network().logits(flowSetting.graph().under("shift"),
                new ShiftNetwork.Inputs(code, setting.given()));
        return StraightThrough.restrict(all.reshape(all.extent(1), space.variables(), space.width()), space);
    }

    private ShiftNetwork network() {
        return ((ShiftFlow) mixture.flow()).network();
    }

    /**
     * Codes [n, D, K] of flows without number, one for every row of Gumbel noise [n, D, K], without gradient; in one
     * pass, or variable by variable if the network looks at the code.
     */
    public Tensor drawn(Tensor noise) {
        Check.that(mixture.isUnlimited(), mixture, " has components to choose from; sample it");
        if (!mixture.looksAtCode()) {
            return tables(null).drawn(noise);
        }
        if (network() instanceof Nade nade) {
            return nade.drawn(flowSetting.graph().under("shift"), setting.given(), noise);
        }
        Tensor x = noise;
        for (int pass = 0; pass < space.variables(); pass++) {
            x = logits(x).stopGradient().plus(noise).argmaxOneHot();
        }
        return x;
    }

    /** sum_b rho_bd f^b(u)_d, [n or 1, D, K]. */
    private Tensor averaged(Tensor code) {
        if (isBinary() && mixture.weighting() == Weighting.EQUAL) {
            // counts are divided last, so that what no component has is exactly 0 in float too
            return StraightThrough.pairs(second(code).sum(0), components).times(1.0 / components);
        }
        return mix(code == null ? carriedBase() : carry(code));
    }

    /** Whether shifts are the codes and the second of two categories says it all: half as many numbers, no argmax. */
    private boolean isBinary() {
        boolean open = setting.given() != null && setting.given().isOpen();
        return shiftsAreCodes() && space.isBinary() && !open
                && setting.straightThrough() == StraightThrough.FIRST_ORDER;
    }

    /** A shift of category 0 is the shift itself. */
    private boolean shiftsAreCodes() {
        return mixture.flow() instanceof ShiftFlow && mixture.base().isZero();
    }

    private Tensor second(Tensor code) {
        if (code != null) {
            return ((ShiftFlow) mixture.flow()).second(flowSetting, code);
        }
        if (second == null) {
            second = ((ShiftFlow) mixture.flow()).second(flowSetting, null);
        }
        return second;
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

    /** The exact entropy where no code is looked at, [n] for every row of what is given, [1] for all: -sum_d sum_k q_d
     * log q_d for PER_VARIABLE, -sum_b rho_b log q(x_b) over the atoms x_b for JOINT with deltas. */
    public Tensor entropy() {
        if (mixture.structure() == Structure.PER_VARIABLE && !mixture.looksAtCode()) {
            return tables(null).entropy();
        }
        if (!mixture.isAtoms() || mixture.isConditional() || !movesByItself()) {
            throw new IllegalStateException(
                    "the entropy of " + mixture + " has no closed form; estimate it by sampling");
        }
        Tensor atoms = carriedBase().reshape(components, space.variables(), space.width());
        return logProb(atoms, graph().precision().tiny()).times(weights().reshape(components)).sum().times(-1)
                .reshape(1);
    }

    /** Whether flows move each variable by itself and look at no code, so that the base is carried forward once. */
    boolean movesByItself() {
        return mixture.flow() instanceof VariableWiseFlow && !mixture.looksAtCode();
    }

    /** The base carried forward by flows that look at no code, [B, n or 1, D, K]: each component's distribution. */
    Tensor carriedBase() {
        if (carriedBase == null) {
            carriedBase = isBinary() ? StraightThrough.pairs(second(null), 1) : carry(null);
        }
        return carriedBase;
    }

    /** The base carried forward, [B, n or 1, D, K]. */
    private Tensor carry(Tensor code) {
        return shiftsAreCodes()
                ? ((ShiftFlow) mixture.flow()).shift(flowSetting, code)
                : ((VariableWiseFlow) mixture.flow()).carry(flowSetting, baseProbabilities(), code);
    }

    /**
     * The codes [n, D, K] that chosen components, mask [B, n, D], make of base codes u [n, D, K], in as many passes as
     * variables wait for each other: an autoregressive network's t-th pass puts the t-th variable right, whatever the
     * later ones hold.
     */
    Tensor walk(Tensor u, Tensor mask) {
        Tensor repeated = u.repeatLeading(components);
        if (mixture.structure() == Structure.JOINT) {
            return Affine.maskedSum(mixture.flow().forward(flowSetting, repeated), mask);
        }
        if (shiftsAreCodes() && network() instanceof Nade nade) {
            return nade.chosen(flowSetting.graph().under("shift"), setting.given(), mask);
        }
        int passes = switch (mixture.flow().dependence()) {
            case NONE -> 1;
            case BIPARTITE -> 2;
            case AUTOREGRESSIVE -> space.variables();
        };
        Tensor x = u;
        for (int pass = 0; pass < passes; pass++) {
            x = Affine.maskedSum(((VariableWiseFlow) mixture.flow()).carry(flowSetting, repeated, x), mask);
        }
        return x;
    }

    /** The log-probability [n] of components, mask [B, n, D], and base codes u [n, D, K]; null unless trained. */
    Tensor choices(Tensor u, Tensor mask) {
        long n = mask.extent(1);
        Tensor choices = null;
        if (u != null && !mixture.base().parameters().isEmpty()) {
            choices = baseProbabilities().spread(1, n).times(u.repeatLeading(components)).sum(3)
                    .log(graph().precision().tiny()).times(mask).sum(0).sum(1);
        }
        if (mixture.weighting() == Weighting.FREE) {
            Tensor logRho = graph().parameter(mixture.weightLogits()).logSoftmax().permute(1, 0).repeatAt(1, n);
            Tensor chosen = mask.slice(2, 0, (int) logRho.extent(2)).times(logRho).sum(0).sum(1);
            choices = choices == null ? chosen : choices.plus(chosen);
        }
        return choices;
    }

    /** The mixture's parameters in a plan, as far as drawing needs them: a model around it may have millions. */
    ParameterValues values(ExecutionPlan plan) {
        boolean needed = mixture.weighting() == Weighting.FREE || !mixture.base().parameters().isEmpty()
                || mixture.looksAtCode() && !mixture.isConditional() && !mixture.isUnlimited();
        return needed
                ? new ParameterValues(plan.layout(), plan.currentParameters(), graph().scope())
                : new ParameterValues(new ParameterLayout(List.of()), new double[0]);
    }

    /** The atoms of a JOINT mixture of deltas that looks at no code, one-hot, [B, n or 1, D, K]. */
    public Tensor atoms() {
        if (!mixture.isAtoms() || !movesByItself()) {
            throw new IllegalStateException(mixture + " is not a set of atoms that look at nothing");
        }
        return carriedBase();
    }

    /** Lays out S samples; of a conditional mixture as many as there are rows given: one code for each. */
    public Sampling sample(int samples, Estimator estimator) {
        return Sampling.of(this, samples, estimator);
    }
}
