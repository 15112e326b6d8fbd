package io.mdnf.bn;

import io.mdnf.elimination.Calibration;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.search.FoundCodes;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    /** The logarithm of each variable's soft evidence, [D][K_d]; 0 where there is none. */
    private final double[][] soft;
    private final JunctionTree tree;
    private final long mostBytes;
    private final Calibration calibration;
    private final double logEvidence;

    /**
     * What one finding did to a variable.
     *
     * @param finding the variable that was observed, or has soft evidence
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

    /**
     * How much two variables that share a factor tell of each other.
     *
     * @param first of the two, as the factor names them; a parent before its child
     * @param nats I(first; second | evidence)
     */
    public record Coupling(int first, int second, double nats) { }

    /** A state for every variable, observed ones included, [D], and its posterior probability. */
    public record Explanation(int[] states, double probability) { }

    private Questions(NamedFactors model, int[] observed, double[][] soft, JunctionTree tree, long mostBytes) {
        this.model = model;
        this.observed = observed;
        this.soft = soft;
        this.tree = tree;
        this.mostBytes = mostBytes;
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
        return of(evidence, Memory.available());
    }

    /** The same within a limit of memory for exact inference, in bytes. */
    public static Questions of(Evidence evidence, long mostBytes) {
        return of(NamedFactors.of(evidence.network()), IntStream.range(0, evidence.network().size())
                .map(v -> evidence.isObserved(v) ? evidence.state(v) : JunctionTree.LATENT).toArray(), mostBytes);
    }

    /** The same about any model and a case, a state or {@link JunctionTree#LATENT} for each variable, [D]. */
    public static Questions of(NamedFactors model, int[] observed) {
        return of(model, observed, Memory.available());
    }

    private static Questions of(NamedFactors model, int[] observed, long mostBytes) {
        double[][] none = none(model);
        return new Questions(model, observed.clone(), none, JunctionTree.of(model.space(), factors(model, none),
                mostBytes), mostBytes);
    }

    private static double[][] none(NamedFactors model) {
        return model.states().stream().map(states -> new double[states.size()]).toArray(double[][]::new);
    }

    /** Those of the model, and one for the soft evidence of each variable: so a tree is laid out once for all of it. */
    private static List<Factor> factors(NamedFactors model, double[][] soft) {
        List<Factor> factors = new ArrayList<>(model.factors());
        for (int v = 0; v < soft.length; v++) {
            factors.add(new Factor(new int[] {v}, soft[v]));
        }
        return factors;
    }

    /** The same questions about another case without soft evidence, [D], laid out already. */
    public Questions given(int... other) {
        double[][] none = none(model);
        return new Questions(model, other.clone(), none, tree.with(factors(model, none)), mostBytes);
    }

    /** The same with soft evidence: the likelihood of some finding under each state of a variable, [K], not all 0. */
    public Questions soft(int variable, double... likelihood) {
        Check.that(likelihood.length == model.states().get(variable).size() && Arrays.stream(likelihood)
                .allMatch(p -> p >= 0 && p < Double.POSITIVE_INFINITY) && Arrays.stream(likelihood).sum() > 0,
                "likelihood = ", Arrays.toString(likelihood), ": at least 0 for each of ",
                model.states().get(variable), ", and not all 0");
        double[][] more = soft.clone();
        more[variable] = new double[likelihood.length];
        Arrays.setAll(more[variable], k -> soft[variable][k] + Math.log(likelihood[k]));
        return new Questions(model, observed, more, tree.with(factors(model, more)), mostBytes);
    }

    /** The same where nothing was observed. */
    public Questions prior() {
        int[] nothing = new int[observed.length];
        Arrays.fill(nothing, JunctionTree.LATENT);
        return given(nothing);
    }

    /** {@return what is asked about} */
    public NamedFactors model() {
        return model;
    }

    /** {@return how many entries the tables have on which answers are found} */
    public long entries() {
        return tree.entries();
    }

    /** {@return log p(evidence), soft evidence included} */
    public double logEvidence() {
        return logEvidence;
    }

    /** Returns p(variable = k | evidence), [K]. */
    public double[] marginal(int variable) {
        return calibration.marginal(variable);
    }

    /**
     * Returns the joint posterior of some variables, all different, [K_1, .., K_n] with the last one fastest.
     *
     * @throws TooLargeException if it needs more memory than there is
     */
    public double[] joint(int... variables) {
        JunctionTree.requireFits(model.space(), variables, mostBytes);
        int entries = IntStream.of(variables).map(v -> model.states().get(v).size()).reduce(1, (a, b) -> a * b);
        List<Factor> together = factors(model, soft);
        // a constant over them keeps them in one clique
        together.add(new Factor(variables, new double[entries]));
        Calibration joined = JunctionTree.of(model.space(), together, mostBytes).calibrationOfAll();
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

    /** Returns what each finding, soft ones included, did to a variable that was not observed, the most first. */
    public List<Influence> influences(int target) {
        double[] p = marginal(target);
        Calibration without = tree.calibration(target);
        List<Influence> influences = new ArrayList<>();
        for (int f = 0; f < observed.length; f++) {
            if (observed[f] != JunctionTree.LATENT && f != target) {
                without.observe(with(f, JunctionTree.LATENT));
                influences.add(influence(f, p, without.marginal(target)));
            } else if (saysMore(soft[f])) {
                double[][] others = soft.clone();
                others[f] = new double[soft[f].length];
                Calibration hard = tree.with(factors(model, others)).calibration(target);
                hard.observe(observed);
                influences.add(influence(f, p, hard.marginal(target)));
            }
        }
        influences.sort(Comparator.comparingDouble(Influence::nats).reversed());
        return influences;
    }

    /** Whether soft evidence tells states apart. */
    private static boolean saysMore(double[] logLikelihood) {
        return Arrays.stream(logLikelihood).anyMatch(l -> l != logLikelihood[0]);
    }

    private static Influence influence(int finding, double[] p, double[] without) {
        double nats = IntStream.range(0, p.length)
                .mapToDouble(k -> p[k] == 0 ? 0 : p[k] * Math.log(p[k] / without[k])).sum();
        return new Influence(finding, without, Math.max(0, nats));
    }

    /** Returns how much any two variables that share a factor tell of each other, each two once. */
    public List<Coupling> couplings() {
        Map<List<Integer>, Coupling> found = new LinkedHashMap<>();
        for (int f = 0; f < model.factors().size(); f++) {
            int[] scope = model.factors().get(f).variables();
            double[] joint = null;
            for (int b = scope.length - 1; b > 0; b--) {
                for (int a = 0; a < b; a++) {
                    List<Integer> two = List.of(Math.min(scope[a], scope[b]), Math.max(scope[a], scope[b]));
                    if (!found.containsKey(two)) {
                        if (joint == null) {
                            joint = new double[model.factors().get(f).logTable().length];
                            calibration.addPosterior(f, 1, joint);
                        }
                        found.put(two, new Coupling(scope[a], scope[b], information(scope, joint, a, b)));
                    }
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** I(a; b) = H(a) + H(b) - H(a, b) of two places of a table. */
    private double information(int[] scope, double[] joint, int a, int b) {
        int statesOfB = model.states().get(scope[b]).size();
        double[] both = new double[model.states().get(scope[a]).size() * statesOfB];
        int strideOfA = stride(scope, a);
        int strideOfB = stride(scope, b);
        for (int e = 0; e < joint.length; e++) {
            both[e / strideOfA % model.states().get(scope[a]).size() * statesOfB + e / strideOfB % statesOfB]
                    += joint[e];
        }
        double nats = entropy(scope[a]) + entropy(scope[b]) - LogSpace.entropy(both);
        return Math.max(0, nats);
    }

    private int stride(int[] scope, int place) {
        return IntStream.range(place + 1, scope.length).map(v -> model.states().get(scope[v]).size())
                .reduce(1, (x, y) -> x * y);
    }

    /** Returns the most probable states of all variables, best first; fewer only if no others are possible. */
    public List<Explanation> mostProbable(int count) {
        FactorTarget target = new NamedFactors(model.name(), model.variables(), model.states(),
                factors(model, soft)).target(observed);
        FoundCodes found = MostProbableCodes.find(target, count);
        return IntStream.range(0, found.codes().length).mapToObj(i -> {
            int[] states = found.codes()[i].clone();
            Arrays.setAll(states, v -> observed[v] == JunctionTree.LATENT ? states[v] : observed[v]);
            return new Explanation(states, Math.exp(found.logJoint()[i] - logEvidence));
        }).toList();
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
        List<Factor> factors = factors(model, soft);
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
