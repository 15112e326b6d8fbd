package io.mdnf.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.inference.Bvi;
import io.mdnf.inference.MaximumLikelihood;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.Fields;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.TargetModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on with what it was begun with, or not at all. */
class FingerprintTest {

    private static final TargetModel TARGET = Fields.random(Seed.of(4), 3, 2, 3);
    private static final Mixture MIXTURE = Mixture.factorised(TARGET.space(), 6);

    @TempDir
    Path folder;

    private static GradientTraining<FlowMixture> vif(TargetModel target, Mixture mixture, VifSettings settings) {
        return new GradientTraining<>(new Vif(target, mixture, settings));
    }

    private static VifSettings settings() {
        return VifSettings.forMixture(MIXTURE, 40);
    }

    private static VifSettings trained(UnaryOperator<TrainingSettings> change) {
        return settings().withTraining(change.apply(settings().training()));
    }

    private void begin(Algorithm<?, ?> algorithm) throws IOException {
        try (algorithm) {
            Run<?> run = new Run<>(algorithm, Seed.of(1)).checkpoints(folder, 5);
            run.listener(new RunListener() {
                private boolean enough;

                @Override
                public boolean wantsStop() {
                    return enough;
                }

                @Override
                public void onStep(Algorithm.Info info) {
                    enough = info.step() >= 5;
                }
            }).execute(false);
        }
    }

    private void refused(Algorithm<?, ?> algorithm, String... parts) {
        try (algorithm) {
            assertThatThrownBy(() -> new Run<>(algorithm, Seed.of(1)).checkpoints(folder, 5).execute(true))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts)
                    .hasMessageStartingWith("the checkpoint is of another run: ").hasMessageNotContaining("\n");
        }
    }

    @Test
    void theSameGoesOnBitEqualAlsoFurther() throws IOException {
        double[] whole;
        try (var vif = vif(TARGET, MIXTURE, settings())) {
            whole = vif.finish(vif.init(Seed.of(1))).parameters();
        }
        begin(vif(TARGET, MIXTURE, settings()));
        try (var vif = vif(TARGET, MIXTURE, settings())) {
            assertThat(new Run<>(vif, Seed.of(1)).checkpoints(folder, 5).execute(true).parameters()).isEqualTo(whole);
        }
        // when a run ends is no part of what it is
        try (var vif = vif(TARGET, MIXTURE, trained(t -> t.withStop(StopRule.maxSteps(50))))) {
            assertThat(new Run<>(vif, Seed.of(1)).checkpoints(folder, 5).execute(true).step()).isEqualTo(50);
        }
    }

    @Test
    void otherSettingsAreNamed() throws IOException {
        begin(vif(TARGET, MIXTURE, settings()));
        VifSettings was = settings();
        refused(vif(TARGET, MIXTURE, new VifSettings(50, was.estimator(), was.straightThrough(), was.objective(),
                was.warmUp(), was.training())), "settings.samples was 100, is 50");
        refused(vif(TARGET, MIXTURE, trained(t -> t.withOptimiser(t.optimiser(), 0.5))),
                "settings.training.rate was 0.02, is 0.5");
        refused(vif(TARGET, MIXTURE, trained(t -> t.withTemperature(step -> 1 + 1.0 / (step + 1)))),
                "settings.training.temperature was", "is 2.0 1.5");
    }

    @Test
    void anotherTargetOrMixtureIsNamed() throws IOException {
        begin(vif(TARGET, MIXTURE, settings()));
        refused(vif(Fields.random(Seed.of(5), 3, 2, 3), MIXTURE, settings()), "target was FactorTarget",
                "is FactorTarget");
        Mixture uniform = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(TARGET.space(), 6)),
                FixedBase.uniform(TARGET.space(), 6), Weighting.EQUAL);
        refused(vif(TARGET, uniform, settings()), "mixture was", "uniform base");
    }

    @Test
    void anotherAlgorithmIsNamed() throws IOException {
        begin(new Bvi(TARGET, Deltas.enumerating(TARGET.space(), 12)));
        refused(vif(TARGET, MIXTURE, settings()), "algorithm was bvi, is vif");
    }

    @Test
    void otherDataAreNamed() throws IOException {
        CodeSpace space = TARGET.space();
        Mixture mixture = new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(space, 3)),
                new TrainableBase(space, 3), Weighting.FREE);
        int[][] codes = {{0, 1, 2}, {2, 0, 0}};
        int[][] others = {{0, 1, 2}, {2, 0, 1}};
        begin(new GradientTraining<>(new MaximumLikelihood(mixture, codes, MaximumLikelihood.Settings.standard(20))));
        refused(new GradientTraining<>(new MaximumLikelihood(mixture, others, MaximumLikelihood.Settings.standard(20))),
                "observed codes was");
    }

    /** Black boxes, draws of a base and orders of variables cannot be read off a description: they show in numbers. */
    @Test
    void whatADescriptionDoesNotShowIsInTheHash() {
        CodeSpace space = CodeSpace.uniform(6, 3);
        Fingerprint none = Fingerprint.of("test");
        assertThat(none.target(new FunctionTarget(space, x -> x[0])).text())
                .isEqualTo(none.target(new FunctionTarget(space, x -> x[0])).text())
                .isNotEqualTo(none.target(new FunctionTarget(space, x -> x[1])).text());
        assertThat(none.mixture(Mixture.made(FixedBase.dirichlet(space, 4, 0.1, Seed.of(1)), Weighting.EQUAL)))
                .isNotEqualTo(
                        none.mixture(Mixture.made(FixedBase.dirichlet(space, 4, 0.1, Seed.of(2)), Weighting.EQUAL)));
        assertThat(none.mixture(ordered(space, 0, 1, 2, 3, 4, 5)))
                .isEqualTo(none.mixture(ordered(space, 0, 1, 2, 3, 4, 5)))
                .isNotEqualTo(none.mixture(ordered(space, 5, 4, 3, 2, 1, 0)));
    }

    private static Mixture ordered(CodeSpace space, int... order) {
        return new Mixture(Structure.PER_VARIABLE,
                new ShiftFlow(Made.with(space, 4).order(order).directConnections().build()),
                new TrainableBase(space, 4),
                Weighting.EQUAL);
    }
}
