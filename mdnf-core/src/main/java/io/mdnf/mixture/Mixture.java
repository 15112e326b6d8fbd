package io.mdnf.mixture;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.flow.Flow;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Description;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.network.Activation;
import io.mdnf.network.Dependence;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A mixture of B discrete flows: which flow, on which base, weighted how, and who chooses the component. A description
 * without values; {@link #in} lays it out in a graph, a flow mixture joins it with trained values.
 *
 * <pre>{@code
 * Mixture atoms = Mixture.atoms(space, 40);            // JOINT, direct logits, deltas: 40 atoms
 * Mixture factorised = Mixture.factorised(space, 100); // PER_VARIABLE, direct logits: product of q_d
 * Mixture rich = Mixture.autoregressive(space, 40);    // PER_VARIABLE, MADE: q_d(x_d | x_<d)
 * }</pre>
 *
 * @param structure who chooses the component
 * @param flow the bijections; PER_VARIABLE needs one that moves each variable by itself
 * @param base what the flows transform
 * @param weighting equal or free weights, or flows without number
 */
public record Mixture(Structure structure, Flow flow, Base base, Weighting weighting) implements Description {

    /** Hidden units per one-hot position of the default autoregressive network. */
    private static final int LEAST_HIDDEN = 32;

    /** Checks that the parts fit each other. */
    public Mixture {
        Check.that(flow.space().equals(base.space()), "flow is on ", flow.space(), ", base on ", base.space());
        Check.that(flow.components() == base.components(), "flow has ", flow.components(), " components, base ",
                base.components());
        Check.that(structure == Structure.JOINT || flow instanceof VariableWiseFlow, "flow ", flow,
                " mixes variables; PER_VARIABLE needs a flow that moves each variable by itself");
        Check.that(weighting != Weighting.UNLIMITED || structure == Structure.PER_VARIABLE
                && flow instanceof ShiftFlow && base.isZero() && flow.components() == 1, "weighting = ", weighting,
                ": flows without number are PER_VARIABLE shifts of category 0 by one network, not ", structure, ", ",
                flow, ", ", base);
    }

    /** B equally weighted atoms: JOINT, direct logits, deltas. */
    public static Mixture atoms(CodeSpace space, int components) {
        return atoms(space, components, Weighting.EQUAL);
    }

    /** B atoms with equal or free weights: JOINT, direct logits, deltas. */
    public static Mixture atoms(CodeSpace space, int components, Weighting weighting) {
        return new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(space, components)),
                Deltas.zero(space, components), weighting);
    }

    /** The factorised posterior: PER_VARIABLE, direct logits, deltas; q_d is a multiple of 1 / B. */
    public static Mixture factorised(CodeSpace space, int components) {
        return new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(space, components)),
                Deltas.zero(space, components), Weighting.EQUAL);
    }

    /** The autoregressive posterior: PER_VARIABLE, one MADE with direct connections for all flows, each with an output
     * bias of its own, deltas, free weights. In the order, parents come before children where there is such a thing;
     * empty means left to right. */
    public static Mixture autoregressive(CodeSpace space, int components, int... order) {
        Made.Builder made = Made.with(space, components).hidden(Math.max(LEAST_HIDDEN, space.variables()))
                .activation(Activation.RELU).directConnections().sharedWeights();
        if (order.length > 0) {
            made.order(order);
        }
        return new Mixture(Structure.PER_VARIABLE, new ShiftFlow(made.build()), Deltas.zero(space, components),
                Weighting.FREE);
    }

    /** Flows without number that share one network: PER_VARIABLE, q_d = softmax(logits_d), given and x_&lt;d as the
     * network looks at them. */
    public static Mixture unlimited(ShiftNetwork network) {
        return new Mixture(Structure.PER_VARIABLE, new ShiftFlow(network),
                Deltas.zero(network.space(), network.components()), Weighting.UNLIMITED);
    }

    /** The paper's JOINT mixture of linear MADE flows with D hidden units: atoms on deltas, more on Dirichlet draws. */
    public static Mixture made(Base base, Weighting weighting) {
        Made made = Made.with(base.space(), base.components()).hidden(base.space().variables())
                .activation(Activation.LINEAR).build();
        return new Mixture(Structure.JOINT, new ShiftFlow(made), base, weighting);
    }

    @Override
    public CodeSpace space() {
        return flow.space();
    }

    @Override
    public int components() {
        return flow.components();
    }

    /** Returns whether the flow of a variable depends on other variables of the code. */
    public boolean looksAtCode() {
        return flow.dependence() != Dependence.NONE;
    }

    /** Returns whether its flows are without number. */
    public boolean isUnlimited() {
        return weighting == Weighting.UNLIMITED;
    }

    /** Returns whether it takes logits from outside, so that it is a distribution only given them. */
    public boolean isConditional() {
        return flow.isConditional();
    }

    /** Returns whether this is a set of weighted atoms: JOINT with delta bases, whatever the flow. */
    public boolean isAtoms() {
        return structure == Structure.JOINT && base.isDelta();
    }

    /** Returns the logits of free weights. */
    Parameter weightLogits() {
        int rows = structure == Structure.JOINT ? 1 : space().variables();
        return new Parameter("weights", Initialiser.constant(0), rows, components());
    }

    /** {@inheritDoc} The flow's under "flow", the base's under "base", and "weights". */
    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>();
        flow.parameters().forEach(p -> all.add(p.under("flow")));
        base.parameters().forEach(p -> all.add(p.under("base")));
        if (weighting == Weighting.FREE) {
            all.add(weightLogits());
        }
        return all;
    }

    /**
     * Parameters, in the order of {@link #layout}, with given free weights in the place of theirs, as a new vector. The
     * weights, up to a factor for each row, are [B] for JOINT, flat [D, B] for PER_VARIABLE; 0 for a component that is
     * not used, as are those that a shorter array leaves out.
     */
    public double[] weighted(double[] rho, double[] flat) {
        double[] logits = new double[weightLogits().size()];
        Arrays.fill(logits, LogSpace.IMPOSSIBLE);
        for (int i = 0; i < rho.length; i++) {
            logits[i] = Math.max(LogSpace.IMPOSSIBLE, Math.log(rho[i]));
        }
        return layout().with(weightLogits().name(), logits, flat);
    }

    /** The weights as numbers: rho, [B] for JOINT, flat [D, B] for PER_VARIABLE. */
    public double[] weights(ParameterValues values) {
        double[] rho = weighting == Weighting.FREE ? values.read(weightLogits().name())
                : new double[weightLogits().size()];
        for (int row = 0; row < rho.length; row += components()) {
            LogSpace.normalise(rho, row, row + components());
        }
        return rho;
    }

    /** Draws base codes u [n][D] of samples whose component is known per variable, [n][D]. */
    public int[][] baseCodes(ParameterValues values, int[][] component, Draws draws) {
        int variables = space().variables();
        int width = space().width();
        double[] p = base.probabilities(values.under("base"));
        var rng = draws.stream("base");
        int[][] u = new int[component.length][variables];
        for (int i = 0; i < u.length; i++) {
            for (int d = 0; d < variables; d++) {
                u[i][d] = Draws.category(rng, p, (component[i][d] * variables + d) * width, width);
            }
        }
        return u;
    }

    /** Returns how the parameters lie in one flat vector. */
    public ParameterLayout layout() {
        return new ParameterLayout(parameters());
    }

    /** Lays the mixture out in a graph. */
    public MixtureGraph in(Setting setting) {
        return new MixtureGraph(this, setting, null);
    }

    /** A setting with one row of logits from outside, flat [B, D, K], or [D, K] for all components, or of features if
     * the network takes those; null for none. */
    public Setting given(Setting setting, double[] row) {
        if (row == null) {
            return setting;
        }
        if (flow.features() > 0) {
            return setting.given(setting.graph().constant(row, 1, row.length));
        }
        int rows = row.length / space().oneHotLength();
        return setting.given(setting.graph().constant(row, rows, 1, space().variables(), space().width())
                .spread(0, components()));
    }

    @Override
    public String toString() {
        return "Mixture(" + structure + ", B=" + components() + ", " + weighting + " weights, " + space() + ", flow="
                + flow + ", base=" + base + ", "
                + parameterCount() + " parameters)";
    }
}
