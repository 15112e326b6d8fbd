package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.StraightThrough;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.ImportanceWeightedElbo;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.target.FunctionTarget;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The promises every algorithm keeps. */
class AlgorithmContractTest {

    private static final FactorTarget TARGET = Fields.random(Seed.of(3), 2, 3, 2, 2);
    private static final CodeSpace CODES = TARGET.space();
    private static final double LOG_EVIDENCE = Fields.logEvidence(TARGET);

    @TempDir
    Path folder;

    private static Algorithm<?, FlowMixture> vif(Mixture mixture) {
        return vif(mixture, 60);
    }

    private static Algorithm<?, FlowMixture> vif(Mixture mixture, long steps) {
        return new GradientTraining<>(new Vif(TARGET, mixture, VifSettings.forMixture(mixture, steps)));
    }

    private static Algorithm<?, FlowMixture> annealed(Mixture mixture) {
        return new GradientTraining<>(new AnnealedVif(TARGET, mixture, AnnealedSettings.forMixture(mixture, 60)));
    }

    private static Algorithm<?, FlowMixture> bvif(Mixture mixture, BvifSettings settings) {
        return new GradientTraining<>(new Bvif(TARGET, mixture, settings));
    }

    private static Map<String, Supplier<Algorithm<?, FlowMixture>>> algorithms() {
        Map<String, Supplier<Algorithm<?, FlowMixture>>> all = new LinkedHashMap<>();
        all.put("VIF, equal atoms", () -> vif(Mixture.atoms(CODES, 5)));
        // the published gradient takes longer where weights move too
        all.put("VIF, free atoms", () -> vif(Mixture.atoms(CODES, 5, Weighting.FREE), 120));
        all.put("annealed VIF, equal atoms", () -> annealed(Mixture.atoms(CODES, 5)));
        all.put("annealed VIF, free atoms", () -> annealed(Mixture.atoms(CODES, 5, Weighting.FREE)));
        all.put("annealed VIF, MADE",
                () -> annealed(Mixture.made(Deltas.enumerating(CODES, 4), Weighting.EQUAL)));
        all.put("annealed VIF, location-scale", () -> annealed(new Mixture(Structure.JOINT,
                new LocationScaleFlow(new DirectLogits(CODES, 4), new DirectLogits(CODES, 4)),
                Deltas.zero(CODES, 4), Weighting.EQUAL)));
        all.put("VIF, factorised", () -> vif(Mixture.factorised(CODES, 10)));
        all.put("VIF, autoregressive", () -> vif(Mixture.autoregressive(CODES, 6)));
        all.put("VIF, MADE on Dirichlet bases",
                () -> vif(Mixture.made(FixedBase.dirichlet(CODES, 4, 0.1, Seed.of(1)), Weighting.EQUAL)));
        all.put("VIF, trainable bases, free", () -> vif(new Mixture(Structure.PER_VARIABLE,
                new ShiftFlow(new DirectLogits(CODES, 3)), new TrainableBase(CODES, 3), Weighting.FREE)));
        all.put("VIF, importance-weighted, float", () -> {
            Mixture mixture = Mixture.factorised(CODES, 10);
            VifSettings usual = VifSettings.forMixture(mixture, 60);
            return new GradientTraining<>(new Vif(TARGET, mixture, new VifSettings(usual.samples(), usual.estimator(),
                    usual.straightThrough(), new ImportanceWeightedElbo(5), usual.warmUp(), usual.training())));
        });
        for (BvifSettings.Weights weights : BvifSettings.Weights.values()) {
            all.put("BVIF, " + weights, () -> bvif(Mixture.atoms(CODES, 4),
                    BvifSettings.standard(weights).withSteps(20)));
        }
        all.put("BVIF, Dirichlet bases", () -> bvif(new Mixture(Structure.JOINT,
                new ShiftFlow(new DirectLogits(CODES, 3)),
                        FixedBase.dirichlet(CODES, 3, 0.5, Seed.of(2)), Weighting.EQUAL),
                BvifSettings.standard(BvifSettings.Weights.TRAINED).withSteps(20)));
        all.put("maximum likelihood of the target's codes", () -> new GradientTraining<>(new MaximumLikelihood(
                new Mixture(Structure.PER_VARIABLE, new ShiftFlow(Made.with(CODES, 3).directConnections().build()),
                        new TrainableBase(CODES, 3), Weighting.EQUAL),
                new Atoms(CODES, CODES.all(), LogSpace.weights(TARGET.logJoint(CODES.all())))
                        .sample(500, Seed.of(4)), MaximumLikelihood.Settings.standard(60))));
        all.put("BVI", () -> new Bvi(TARGET, Deltas.enumerating(CODES, 12)));
        return all;
    }

    private interface Promise {
        <S> void check(Supplier<Algorithm<S, FlowMixture>> make) throws Exception;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Stream<DynamicTest> forEveryAlgorithm(Promise promise) {
        return algorithms().entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(),
                () -> promise.check((Supplier) e.getValue())));
    }

    private static <S> S finish(Algorithm<S, FlowMixture> algorithm, S state, int chunk) {
        S current = state;
        while (!algorithm.isFinished(current)) {
            current = algorithm.advance(current, chunk);
        }
        return current;
    }

    private static <S> double[] parameters(Algorithm<S, FlowMixture> algorithm, S state) {
        try (FlowMixture q = algorithm.result(state)) {
            return q.parameters();
        }
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> sameSeedGivesTheSameParametersHoweverStepsAreGrouped() {
        return forEveryAlgorithm(new Promise() {
            @Override
            public <S> void check(Supplier<Algorithm<S, FlowMixture>> make) {
                try (Algorithm<S, FlowMixture> one = make.get(); Algorithm<S, FlowMixture> other = make.get()) {
                    double[] whole = parameters(one, finish(one, one.init(Seed.of(5)), 1000));
                    double[] pieces = parameters(other, finish(other, other.init(Seed.of(5)), 7));
                    assertThat(pieces).containsExactly(whole);
                }
            }
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> savedAndRestoredContinuesBitEqual() {
        return forEveryAlgorithm(new Promise() {
            @Override
            public <S> void check(Supplier<Algorithm<S, FlowMixture>> make) throws Exception {
                try (Algorithm<S, FlowMixture> one = make.get(); Algorithm<S, FlowMixture> other = make.get()) {
                    S middle = one.advance(one.init(Seed.of(6)), 11);
                    Path file = folder.resolve("state" + System.nanoTime() + ".mdnf");
                    one.save(middle).write(file);
                    double[] uninterrupted = parameters(one, finish(one, middle, 13));
                    S read = other.restore(Checkpoint.read(file));
                    assertThat(other.info(read)).isEqualTo(one.info(middle));
                    assertThat(parameters(other, finish(other, read, 13))).containsExactly(uninterrupted);
                }
            }
        });
    }

    /** Exact bounds at the start, in the middle and at the end: never above log p(D), and better at the end. */
    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> everyBoundIsBelowTheEvidenceAndTrainingHelps() {
        return forEveryAlgorithm(new Promise() {
            @Override
            public <S> void check(Supplier<Algorithm<S, FlowMixture>> make) {
                try (Algorithm<S, FlowMixture> algorithm = make.get()) {
                    S state = algorithm.init(Seed.of(7));
                    double first = bound(algorithm, state);
                    state = algorithm.advance(state, 10);
                    assertThat(bound(algorithm, state)).isLessThanOrEqualTo(LOG_EVIDENCE + 1e-9);
                    state = finish(algorithm, state, 50);
                    double last = bound(algorithm, state);
                    assertThat(last).isLessThanOrEqualTo(LOG_EVIDENCE + 1e-9);
                    assertThat(last).isGreaterThan(first);
                    assertThat(algorithm.info(state).bestElbo()).isLessThanOrEqualTo(LOG_EVIDENCE + 1e-9);
                }
            }
        });
    }

    /**
     * Gradients alone, without best-so-far: the last iterate of VIF has lost most of the distance to the evidence that
     * the start has, in the median of three seeds. A random walk has not.
     */
    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> theLastIterateIsMuchBetterThanTheStart() {
        return algorithms().entrySet().stream().filter(e -> e.getKey().startsWith("VIF")
                || e.getKey().startsWith("annealed") && !e.getKey().endsWith("free atoms")).map(e ->
                DynamicTest.dynamicTest(e.getKey(), () -> {
                    double[] left = new double[3];
                    for (int seed = 0; seed < left.length; seed++) {
                        left[seed] = left(e.getValue(), Seed.of(seed));
                    }
                    assertThat(Arrays.stream(left).sorted().toArray()[1]).isLessThan(0.3);
                }));
    }

    /** The share of the start's KL that the last iterate still has. */
    @SuppressWarnings("unchecked")
    private static double left(Supplier<Algorithm<?, FlowMixture>> make, Seed seed) {
        try (var training = (GradientTraining<FlowMixture>) make.get()) {
            TrainingState first = training.init(seed);
            TrainingState last = training.finish(first);
            try (FlowMixture best = training.result(last);
                    FlowMixture before = new FlowMixture(best.mixture(), first.parameters());
                    FlowMixture after = new FlowMixture(best.mixture(), last.parameters())) {
                return (LOG_EVIDENCE - Bound.of(TARGET, after, 2, seed).value())
                        / (LOG_EVIDENCE - Bound.of(TARGET, before, 2, seed).value());
            }
        }
    }

    private static <S> double bound(Algorithm<S, FlowMixture> algorithm, S state) {
        try (FlowMixture q = algorithm.result(state)) {
            Estimate bound = Bound.of(TARGET, q, 1000, Seed.of(1));
            assertThat(bound.isExact()).isTrue();
            return bound.value();
        }
    }

    @Test
    @Tag("slow")
    void boostingNeverLosesAndStopsByItself() {
        try (var bvif = new GradientTraining<>(new Bvif(TARGET, Mixture.atoms(CODES, 20),
                growing(BvifSettings.Weights.SOLVED, new BvifSettings.Growth(0.05, 0, 1))))) {
            TrainingState state = bvif.init(Seed.of(1));
            double before = Double.NEGATIVE_INFINITY;
            while (!bvif.isFinished(state)) {
                state = bvif.advance(state, 60);
                assertThat(state.part("mixture")[0]).isGreaterThanOrEqualTo(before);
                before = state.part("mixture")[0];
            }
            assertThat(bvif.info(state).components()).isBetween(2, 19);
        }
        try (var bvif = new GradientTraining<>(new Bvif(TARGET, Mixture.atoms(CODES, 20),
                growing(BvifSettings.Weights.TRAINED, new BvifSettings.Growth(0, 0.5, 1))))) {
            TrainingState state = finish(bvif, bvif.init(Seed.of(1)), 100);
            assertThat(bvif.info(state).components()).isBetween(1, 19);
        }
    }

    /** Mends what 20 steps of learning from codes left, and leaves alone, by its last iterate too, what is good. */
    @Test
    @Tag("slow")
    void fineTuningGainsAndNeverLoses() {
        double[] gains = new double[2];
        int[][] codes = new Atoms(CODES, CODES.all(), LogSpace.weights(TARGET.logJoint(CODES.all())))
                .sample(20_000, Seed.of(4));
        for (int i = 0; i < gains.length; i++) {
            Mixture mixture = new Mixture(Structure.PER_VARIABLE,
                    new ShiftFlow(Made.with(CODES, 3).directConnections().build()), new TrainableBase(CODES, 3),
                    Weighting.EQUAL);
            try (var learner = new GradientTraining<>(new MaximumLikelihood(mixture, codes,
                    MaximumLikelihood.Settings.standard(i == 0 ? 20 : 600)));
                    FlowMixture learned = learner.result(learner.finish(learner.init(Seed.of(1))));
                    FlowMixture tuned = Vif.fineTuned(TARGET, learned, 400, Seed.of(2));
                    var training = new GradientTraining<>(
                            new Vif(TARGET, learned.mixture(), VifSettings.fineTuning(400)));
                    FlowMixture last = new FlowMixture(learned.mixture(),
                            training.finish(training.start(Seed.of(3), learned.parameters())).parameters())) {
                double before = Bound.of(TARGET, learned, 2, Seed.of(0)).value();
                gains[i] = (Bound.of(TARGET, tuned, 2, Seed.of(0)).value() - before) / (LOG_EVIDENCE - before);
                assertThat(gains[i]).isBetween(0.0, 1.0);
                // 0.001 nats of noise in the last steps
                assertThat(Bound.of(TARGET, last, 2, Seed.of(0)).value()).isGreaterThan(before - 0.001);
            }
        }
        assertThat(gains[0]).isGreaterThan(0.5);
    }

    /** BVI over all codes is exact: the posterior itself. */
    @Test
    void weighingAllDeltasGivesTheEvidence() {
        try (Bvi bvi = new Bvi(TARGET, Deltas.enumerating(CODES, 24))) {
            Bvi.State state = finish(bvi, bvi.init(Seed.of(1)), 5);
            assertThat(state.elbo()).isCloseTo(LOG_EVIDENCE, org.assertj.core.data.Offset.offset(1e-12));
        }
    }

    @Test
    void misuseIsNamed() {
        FunctionTarget blackBox = new FunctionTarget(CODES, x -> 0);
        Mixture atoms = Mixture.atoms(CODES, 2);
        assertThatThrownBy(() -> new Vif(blackBox, atoms, VifSettings.forMixture(atoms, 5)))
                .hasMessageContaining("no gradient");
        Mixture product = Mixture.factorised(CODES, 2);
        assertThatThrownBy(() -> new AnnealedVif(TARGET, product, AnnealedSettings.forMixture(product, 5)))
                .hasMessageContaining("no set of atoms");
        Mixture other = Mixture.atoms(CodeSpace.of(2, 2), 2);
        assertThatThrownBy(() -> new Vif(TARGET, other, VifSettings.forMixture(other, 5)))
                .hasMessageContaining("mixture on");
        assertThatThrownBy(() -> new Bvif(TARGET, Mixture.factorised(CODES, 2),
                BvifSettings.standard(BvifSettings.Weights.TRAINED))).hasMessageContaining("JOINT");
        assertThatThrownBy(() -> TemperatureSchedule.exponential(0, 0, 1)).hasMessageContaining("tau = 0.0");
        assertThatThrownBy(() -> new VifSettings(0, Estimator.CHOSEN, StraightThrough.FIRST_ORDER, new Elbo(), 0,
                VifSettings.forMixture(atoms, 5).training())).hasMessageContaining("samples = 0");
    }

    private static BvifSettings growing(BvifSettings.Weights weights, BvifSettings.Growth growth) {
        BvifSettings usual = BvifSettings.standard(weights);
        return new BvifSettings(usual.samples(), 60, usual.straightThrough(), usual.training(), weights, growth);
    }
}
