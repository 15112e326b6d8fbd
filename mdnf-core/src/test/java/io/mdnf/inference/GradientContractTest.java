package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Flow;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Bipartite;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.Made;
import io.mdnf.network.Recurrent;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.ImportanceWeightedElbo;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What the gradient of a VIF step is on average, for every block of parameters, over structure x base x weights x
 * estimator x network:
 *
 * <ul>
 *   <li>base and weight logits, CHOSEN, JOINT or PER_VARIABLE: that of the exact ELBO;
 *   <li>the same with averaged estimators, a trained base, and no network that looks at the code, or, RESAMPLED, any
 *       network: the ELBO's too;
 *   <li>everything else (shifts, scales, network weights; with averaged estimators what stands behind a network that
 *       looks at the code): that of the straight-through smoothing, {@link StraightThroughTwin}.
 * </ul>
 *
 * <p>The smoothing is not the ELBO: a one-hot shift has no gradient of its own. With averaged estimators and networks
 * that look at nothing it is the ELBO as a function of the tables q_d, exactly, but for the entropy's floor on fixed
 * bases.
 */
class GradientContractTest {

    private static final CodeSpace SPACE = CodeSpace.of(2, 3);
    private static final FactorTarget TARGET = new FactorTarget(SPACE, List.of(
            new Factor(new int[] {0, 1}, new Draws(Seed.of(5)).normal("pair", 6)),
            new Factor(new int[] {1}, new double[] {0.3, -0.6, 0.5})));
    private static final double TAU = 1.7;
    private static final int SAMPLES = 240;
    private static final int STEPS = 60;
    /**
     * Standard errors that the mean of 60 steps may be off: by Student's distribution a sound gradient of one parameter
     * is beyond once in 10^8, all of some 3,000 together less than once in 30,000 seeds.
     */
    private static final double ERRORS = 6.7;
    /** Where nothing is random: rounding, and the differences the reference is made of. */
    private static final double ROUNDING = 1e-6;

    private record Case(Mixture mixture, Estimator estimator) {

        double[] parameters() {
            double[] flat = mixture.layout().initial(Seed.of(3));
            double[] more = new Draws(Seed.of(4)).normal("more", flat.length);
            for (int i = 0; i < flat.length; i++) {
                flat[i] += 0.7 * more[i];
            }
            return flat;
        }
    }

    private static Map<String, Flow> flows(int b) {
        Map<String, Flow> flows = new LinkedHashMap<>();
        flows.put("direct", new ShiftFlow(new DirectLogits(SPACE, b)));
        flows.put("location-scale", new LocationScaleFlow(new DirectLogits(SPACE, b), new DirectLogits(SPACE, b)));
        flows.put("made", new ShiftFlow(Made.with(SPACE, b).hidden(3).build()));
        flows.put("bipartite", new ShiftFlow(new Bipartite(SPACE, b, new int[] {0}, 3)));
        flows.put("gru", new ShiftFlow(new Recurrent(SPACE, b, Recurrent.Cell.GRU, 2)));
        return flows;
    }

    private static Map<String, Base> bases(int b) {
        Map<String, Base> bases = new LinkedHashMap<>();
        bases.put("deltas", Deltas.random(SPACE, b, Seed.of(1)));
        bases.put("trained", new TrainableBase(SPACE, b));
        bases.put("dirichlet", FixedBase.dirichlet(SPACE, b, 1, Seed.of(2)));
        return bases;
    }

    /** All bases and weights, with direct logits, and one component. */
    private static Map<String, Case> plain() {
        Map<String, Case> cases = new LinkedHashMap<>();
        bases(3).forEach((name, base) -> {
            for (Weighting weighting : List.of(Weighting.EQUAL, Weighting.FREE)) {
                add(cases, "direct, " + name, flows(3).get("direct"), base, weighting);
            }
        });
        add(cases, "one component, trained", flows(1).get("direct"), bases(1).get("trained"), Weighting.EQUAL);
        return cases;
    }

    /** All other networks, with as much to train as there is; of those that look at the code one with deltas too. */
    private static Map<String, Case> rich() {
        Map<String, Case> cases = new LinkedHashMap<>();
        flows(2).forEach((name, flow) -> {
            if (!name.equals("direct")) {
                add(cases, name + ", trained", flow, bases(2).get("trained"), Weighting.FREE);
            }
        });
        add(cases, "made, deltas", flows(2).get("made"), bases(2).get("deltas"), Weighting.EQUAL);
        return cases;
    }

    private static void add(Map<String, Case> cases, String name, Flow flow, Base base, Weighting weighting) {
        cases.put("JOINT, " + name + ", " + weighting,
                new Case(new Mixture(Structure.JOINT, flow, base, weighting), Estimator.CHOSEN));
        for (Estimator estimator : Estimator.values()) {
            cases.put("PER_VARIABLE, " + name + ", " + weighting + ", " + estimator,
                    new Case(new Mixture(Structure.PER_VARIABLE, flow, base, weighting), estimator));
        }
    }

    private static VifSettings settings(Estimator estimator) {
        return new VifSettings(SAMPLES, estimator, StraightThrough.FIRST_ORDER, new Elbo(), 0,
                TrainingSettings.of(new Optimiser.Adam(), 0.01));
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> theMeanGradientIsThePromisedOne() {
        return checked(plain());
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> theMeanGradientOfNetworksIsThePromisedOne() {
        return checked(rich());
    }

    private static Stream<DynamicTest> checked(Map<String, Case> cases) {
        return cases.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> check(TARGET, e.getValue())));
    }

    private static void check(FactorTarget target, Case one) {
        double[] parameters = one.parameters();
        Mixture mixture = one.mixture();
        List<String> wrong = new ArrayList<>();
        double[][] mean = meanGradient(target, one, parameters);
        try (StraightThroughTwin twin = new StraightThroughTwin(target, mixture, one.estimator(), TAU, parameters)) {
            for (Parameter block : mixture.parameters()) {
                int offset = mixture.layout().offset(block.name());
                for (int i = offset; i < offset + block.size(); i++) {
                    double promised = isExact(one, block) ? twin.exactGradient(i) : twin.gradient(i);
                    double allowed = ERRORS * mean[1][i] + ROUNDING * (1 + Math.abs(promised));
                    if (!(Math.abs(mean[0][i] - promised) <= allowed)) {
                        wrong.add(block.name() + "[" + (i - offset) + "]: " + mean[0][i] + " +- " + mean[1][i] + ", "
                                + promised + " is promised");
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Whether the gradient of a block is that of the exact ELBO. */
    private static boolean isExact(Case one, Parameter block) {
        boolean drawn = block.name().startsWith("base/") || block.name().equals("weights");
        boolean tables = (!one.mixture().looksAtCode() || one.estimator() == Estimator.RESAMPLED)
                && !one.mixture().base().parameters().isEmpty();
        return drawn && (!one.estimator().isAveraged() || tables);
    }

    /** The mean over steps of the gradient of the ELBO and its standard error. */
    private static double[][] meanGradient(TargetModel target, Case one, double[] parameters) {
        double[][] sums = new double[2][parameters.length];
        try (Vif vif = new Vif(target, one.mixture(), settings(one.estimator()))) {
            vif.plan().load(parameters);
            for (int step = 0; step < STEPS; step++) {
                vif.feed(new TrainingStep(Seed.of(11), step, TAU, Map.of()));
                vif.plan().run();
                double[] gradient = vif.plan().gradients();
                for (int i = 0; i < parameters.length; i++) {
                    sums[0][i] -= gradient[i] / STEPS;
                    sums[1][i] += gradient[i] * gradient[i] / STEPS;
                }
            }
        }
        for (int i = 0; i < parameters.length; i++) {
            sums[1][i] = Math.sqrt(Math.max(0, sums[1][i] - sums[0][i] * sums[0][i]) / (STEPS - 1));
        }
        return sums;
    }

    /** The slope of the ELBO, summed over all codes, by central differences. */
    private static double exact(Mixture mixture, double[] parameters, int entry) {
        double step = 1e-4;
        return (elbo(mixture, parameters, entry, step) - elbo(mixture, parameters, entry, -step)) / (2 * step);
    }

    private static double elbo(Mixture mixture, double[] parameters, int entry, double change) {
        double[] changed = parameters.clone();
        changed[entry] += change;
        try (FlowMixture q = new FlowMixture(mixture, changed)) {
            return Bound.of(TARGET, q, 2, Seed.of(0)).value();
        }
    }

    /**
     * Without factors of two variables averaged gradients have no noise, so that small errors show: the entropy of a
     * trained base has no floor (with that of deltas one variable and B = 1 would end at KL 0.1 where 0 is possible).
     */
    @TestFactory
    Stream<DynamicTest> averagedGradientsOfATrainedBaseAreExact() {
        FactorTarget alone = new FactorTarget(SPACE, List.of(new Factor(new int[] {0}, new double[] {2, -1}),
                new Factor(new int[] {1}, new double[] {0.3, -2, 1})));
        return Stream.of(1, 3).flatMap(b -> Stream.of(Weighting.EQUAL, Weighting.FREE)
                .map(weighting -> DynamicTest.dynamicTest(
                b + " components, " + weighting, () -> check(alone, new Case(new Mixture(Structure.PER_VARIABLE,
                        flows(b).get("direct"), bases(b).get("trained"), weighting), Estimator.AVERAGED)))));
    }

    /** The references themselves: both are the ELBO's slope where tables are averaged and nothing is looked at. */
    @Test
    void theTwinOfAveragedTablesIsTheExactElbo() {
        Case one = new Case(new Mixture(Structure.PER_VARIABLE, flows(3).get("direct"), bases(3).get("trained"),
                Weighting.FREE), Estimator.AVERAGED);
        double[] parameters = one.parameters();
        try (var twin = new StraightThroughTwin(TARGET, one.mixture(), one.estimator(), TAU, parameters)) {
            for (Parameter block : one.mixture().parameters()) {
                int offset = one.mixture().layout().offset(block.name());
                for (int i = offset; i < offset + block.size() && isExact(one, block); i++) {
                    double exact = exact(one.mixture(), parameters, i);
                    assertThat(twin.gradient(i)).isCloseTo(exact, within(1e-6));
                    assertThat(twin.exactGradient(i)).isCloseTo(exact, within(1e-6));
                }
            }
        }
    }

    /** A target that is only evaluated gets the gradient that its factors would have given, but for rounding. */
    @Test
    void aBlackBoxIsResampledToo() {
        Case one = new Case(Mixture.autoregressive(SPACE, 4), Estimator.RESAMPLED);
        double[] parameters = one.parameters();
        FunctionTarget blackBox = new FunctionTarget(SPACE, x -> TARGET.logJoint(new int[][] {x})[0]);
        double[] mean = meanGradient(blackBox, one, parameters)[0];
        assertThat(mean).containsExactly(meanGradient(TARGET, one, parameters)[0], within(1e-12));
        assertThat(Arrays.stream(mean).map(Math::abs).max().orElseThrow()).isGreaterThan(0.01);
    }

    /**
     * The bias of averaged estimators behind networks that look at the code: none for the last variable, which no other
     * looks at; for the first one what its change does to the draw of the second is missing.
     */
    @Test
    void onlyWhatLaterVariablesLookAtIsBiased() {
        for (String network : List.of("made", "gru", "bipartite")) {
            Case one = new Case(new Mixture(Structure.PER_VARIABLE, flows(2).get(network), bases(2).get("trained"),
                    Weighting.FREE), Estimator.AVERAGED);
            double[] parameters = one.parameters();
            int offset = one.mixture().layout().offset("base/logits");
            double[] largest = new double[2];
            double[] bias = new double[2];
            try (var twin = new StraightThroughTwin(TARGET, one.mixture(), one.estimator(), TAU, parameters)) {
                for (int i = 0; i < 2 * SPACE.oneHotLength(); i++) {
                    int d = i / SPACE.width() % 2;
                    double exact = twin.exactGradient(offset + i);
                    largest[d] = Math.max(largest[d], Math.abs(exact));
                    bias[d] = Math.max(bias[d], Math.abs(twin.gradient(offset + i) - exact));
                }
            }
            assertThat(bias[1]).as(network).isLessThan(1e-6);
            // 3, 6 and 0.3 % of the largest here
            assertThat(bias[0] / largest[0]).as(network).isBetween(1e-3, 0.1);
        }
    }

    @Test
    void whatWouldGetNoGradientIsRefused() {
        Mixture trained = new Mixture(Structure.PER_VARIABLE, flows(2).get("direct"), bases(2).get("trained"),
                Weighting.EQUAL);
        VifSettings weighted = new VifSettings(SAMPLES, Estimator.CHOSEN, StraightThrough.FIRST_ORDER,
                new ImportanceWeightedElbo(4), 0, settings(Estimator.CHOSEN).training());
        assertThatThrownBy(() -> new Vif(TARGET, trained, weighted)).hasMessageContaining("only the ELBO");
        assertThatThrownBy(() -> new Vif(TARGET, trained, weighted.withEstimator(Estimator.RESAMPLED,
                StraightThrough.FIRST_ORDER))).hasMessageContaining("one of the ELBO");
        Mixture given = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new Given(SPACE, 2)), Deltas.zero(SPACE, 2),
                Weighting.EQUAL);
        assertThatThrownBy(() -> given.in(Setting.in(new Graph(Precision.DOUBLE))).sample(4, Estimator.RESAMPLED))
                .hasMessageContaining("conditional");
    }
}
