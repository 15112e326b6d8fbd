package io.mdnf.bn;

import io.mdnf.elimination.Calibration;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many questions about one case, all answered exactly on one junction tree.
 *
 * <pre>{@code
 * Questions asia = Questions.of(Evidence.parse(BuiltInNetworks.open("asia"), "xray=yes"));
 * double[] lung = asia.marginal(3);
 * List<Questions.Influence> why = asia.influences(3);       // which finding moved it most
 * }</pre>
 */
public final class Questions {

    private final NamedFactors model;
    private final int[] observed;
    private final List<Factor> soft;
    private final JunctionTree tree;
    private final Calibration calibration;
    private final double logEvidence;

    /**
     * What one finding did to a variable.
     *
     * @param finding the observed variable
     * @param without the posterior of the target without it
     * @param nats KL(p(target | all) || p(target | without it)); infinite if it made possible what was not
     */
    public record Influence(int finding, double[] without, double nats) { }

    /**
     * How fast a probability changes with an entry of a table.
     *
     * @param node whose table
     * @param entry of the table, row * K + state
     * @param derivative of the probability by the entry, while the other entries of the row keep their proportions
     */
    public record Sensitivity(int node, int entry, double derivative) { }

    private Questions(NamedFactors model, int[] observed, List<Factor> soft) {
        this.model = model;
        this.observed = observed;
        this.soft = List.copyOf(soft);
        this.tree = JunctionTree.of(model.space(), all(List.of()), Memory.available());
        this.calibration = tree.calibrationOfAll();
        this.logEvidence = calibration.observe(observed);
        Check.that(logEvidence != Double.NEGATIVE_INFINITY, "what was observed has probability 0 in network ",
                Names.quote(model.name()), ", expected possible evidence");
    }

    /**
     * Questions about a network and what was observed.
     *
     * @throws TooLargeException if exact inference needs more memory than there is
     * @throws IllegalArgumentException if the evidence has probability 0
     */
    public static Questions of(Evidence evidence) {
        int[] observed = IntStream.range(0, evidence.network().size())
                .map(v -> evidence.isObserved(v) ? evidence.state(v) : JunctionTree.LATENT).toArray();
        return new Questions(NamedFactors.of(evidence.network()), observed, List.of());
    }

    /** The same with soft evidence: the likelihood of some finding under each state of a variable, [K], not all 0. */
    public Questions soft(int variable, double... likelihood) {
        Check.that(likelihood.length == model.states().get(variable).size() && Arrays.stream(likelihood)
                .allMatch(p -> p >= 0 && p < Double.POSITIVE_INFINITY) && Arrays.stream(likelihood).sum() > 0,
                "likelihood = ", Arrays.toString(likelihood), ": at least 0 for each of ",
                model.states().get(variable), ", and not all 0");
        List<Factor> more = new ArrayList<>(soft);
        more.add(new Factor(new int[] {variable}, Arrays.stream(likelihood).map(Math::log).toArray()));
        return new Questions(model, observed, more);
    }

    /** The same where nothing was observed. */
    public Questions prior() {
        int[] nothing = new int[observed.length];
        Arrays.fill(nothing, JunctionTree.LATENT);
        return new Questions(model, nothing, List.of());
    }

    private List<Factor> all(List<Factor> further) {
        List<Factor> all = new ArrayList<>(model.factors());
        all.addAll(soft);
        all.addAll(further);
        return all;
    }

    /** {@return log p(evidence), soft evidence included} */
    public double logEvidence() {
        return logEvidence;
    }

    /** Returns p(variable = k | evidence), [K]. */
    public double[] marginal(int variable) {
        return calibration.marginal(variable);
    }

    /** Returns the joint posterior of some variables, all different, [K_1, .., K_n] with the last one fastest. */
    public double[] joint(int... variables) {
        int entries = IntStream.of(variables).map(v -> model.states().get(v).size()).reduce(1, Math::multiplyExact);
        // a constant over them keeps them in one clique
        List<Factor> together = all(List.of(new Factor(variables, new double[entries])));
        Calibration joined = JunctionTree.of(model.space(), together, Memory.available()).calibrationOfAll();
        joined.observe(observed);
        double[] joint = new double[entries];
        joined.addPosterior(together.size() - 1, 1, joint);
        return joint;
    }

    /** Returns the entropy of a variable's posterior in nats. */
    public double entropy(int variable) {
        return LogSpace.entropy(marginal(variable));
    }

    /** Returns I(target; variable | evidence) in nats for every variable, [D]; its entropy for the target itself. */
    public double[] information(int target) {
        double[] p = marginal(target);
        double[] information = IntStream.range(0, observed.length).mapToDouble(this::entropy).toArray();
        Calibration given = tree.calibrationOfAll();
        for (int k = 0; k < p.length; k++) {
            if (p[k] > 0) {
                given.observe(with(target, k));
                for (int v = 0; v < information.length; v++) {
                    information[v] -= p[k] * LogSpace.entropy(given.marginal(v));
                }
            }
        }
        // rounding must not leave less than nothing
        Arrays.setAll(information, v -> Math.max(0, information[v]));
        return information;
    }

    private int[] with(int variable, int state) {
        int[] changed = observed.clone();
        changed[variable] = state;
        return changed;
    }

    /** Returns what each finding did to a variable that was not observed, the most first. */
    public List<Influence> influences(int target) {
        double[] p = marginal(target);
        Calibration without = tree.calibration(target);
        List<Influence> influences = new ArrayList<>();
        for (int f = 0; f < observed.length; f++) {
            if (observed[f] != JunctionTree.LATENT && f != target) {
                without.observe(with(f, JunctionTree.LATENT));
                double[] q = without.marginal(target);
                double nats = IntStream.range(0, p.length)
                        .mapToDouble(k -> p[k] == 0 ? 0 : p[k] * Math.log(p[k] / q[k])).sum();
                influences.add(new Influence(f, q, Math.max(0, nats)));
            }
        }
        influences.sort(Comparator.comparingDouble(Influence::nats).reversed());
        return influences;
    }

    /**
     * Returns how p(target = state | evidence) changes with each entry of each table of a network, the fastest first.
     * With the table of one node replaced by ones, the posterior of its family is the derivative of the evidence by
     * the table's entries, up to a factor; with target = state observed too, that of the numerator.
     */
    public List<Sensitivity> sensitivity(int target, int state) {
        Check.that(observed[target] == JunctionTree.LATENT, "variable ", Names.quote(model.variables().get(target)),
                " was observed: nothing changes its posterior");
        double p = marginal(target)[state];
        List<Sensitivity> found = new ArrayList<>();
        List<Factor> factors = all(List.of());
        for (int node = 0; node < model.factors().size(); node++) {
            Factor table = model.factors().get(node);
            int entries = table.logTable().length;
            factors.set(node, new Factor(table.variables(), new double[entries]));
            Calibration ones = tree.with(factors).calibrationOfAll();
            double[] evidence = derivative(ones, observed, node, entries);
            double[] numerator = derivative(ones, with(target, state), node, entries);
            factors.set(node, table);
            double[] free = new double[entries];
            Arrays.setAll(free, i -> numerator[i] - p * evidence[i]);
            int states = model.states().get(table.variables()[table.variables().length - 1]).size();
            for (int entry = 0; entry < entries; entry++) {
                found.add(new Sensitivity(node, entry, inProportion(table.logTable(), free, entry, states)));
            }
        }
        found.sort(Comparator.comparingDouble((Sensitivity s) -> Math.abs(s.derivative())).reversed());
        return found;
    }

    /** d p(case) / d entry, divided by the evidence, for all entries of a table. */
    private double[] derivative(Calibration ones, int[] states, int node, int entries) {
        double[] derivative = new double[entries];
        double logSum = ones.observe(states);
        if (logSum > Double.NEGATIVE_INFINITY) {
            ones.addPosterior(node, Math.exp(logSum - logEvidence), derivative);
        }
        return derivative;
    }

    /** The derivative along one entry of a row while the others shrink in proportion, equally if they are all 0. */
    private static double inProportion(double[] logTable, double[] free, int entry, int states) {
        int row = entry - entry % states;
        double others = 0;
        for (int i = row; i < row + states; i++) {
            others += i == entry ? 0 : Math.exp(logTable[i]);
        }
        double derivative = free[entry];
        for (int i = row; i < row + states; i++) {
            if (i != entry) {
                derivative -= free[i] * (others == 0 ? 1.0 / (states - 1) : Math.exp(logTable[i]) / others);
            }
        }
        return states == 1 ? 0 : derivative;
    }
}
