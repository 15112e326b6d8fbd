package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Flow;
import io.mdnf.flow.FlowStack;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Conditioned;
import io.mdnf.network.Dependence;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.Objective;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flow, a network, a base and an objective of a user's own: they keep the promises, train, and are saved. */
class OwnPartsTest {

    private static final CodeSpace SPACE = CodeSpace.of(2, 3, 2);

    /** Turns the categories of a variable round, or not: x_d = u_d or K_d - 1 - u_d. */
    private record Reversal(CodeSpace space, ShiftNetwork network) implements VariableWiseFlow {

        @Override
        public Map<String, ShiftNetwork> parts() {
            return Map.of("turn", network);
        }

        @Override
        public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
            Tensor turn = setting.oneHot(network, "turn", code, network.space());
            long n = Math.max(variables.extent(1), turn.extent(1));
            Tensor x = variables.spread(1, n);
            int length = space.oneHotLength();
            double[] matrix = new double[length * length];
            for (int d = 0; d < space.variables(); d++) {
                for (int k = 0; k < space.cardinality(d); k++) {
                    int start = d * space.width();
                    matrix[(start + k) * length + start + space.cardinality(d) - 1 - k] = 1;
                }
            }
            Tensor turned = x.reshape(x.size() / length, length)
                    .matmul(setting.graph().constant(matrix, length, length)).reshape(x.shape());
            return x.times(chosen(turn, 0, n)).plus(turned.times(chosen(turn, 1, n)));
        }

        private Tensor chosen(Tensor turn, int which, long n) {
            return turn.slice(3, which, 1).spread(3, space.width()).spread(1, n);
        }
    }

    /** Logits of each component plus some that all share. */
    private record SharedBias(CodeSpace space, int components) implements ShiftNetwork {

        @Override
        public List<Parameter> parameters() {
            return List.of(new Parameter("own", Initialiser.normal(1), components, 1, space.variables(), space.width()),
                    new Parameter("shared", Initialiser.normal(1), 1, space.variables(), space.width()));
        }

        @Override
        public Tensor logits(Graph graph, Inputs inputs) {
            return graph.parameter(parameters().get(0))
                    .plus(graph.parameter(parameters().get(1)).repeatLeading(components));
        }
    }

    /** Category 0 with a trained probability of each component, else any. */
    private record DeltaOrUniform(CodeSpace space, int components) implements Base {

        @Override
        public List<Parameter> parameters() {
            return List.of(new Parameter("share", Initialiser.normal(1), components, 1));
        }

        @Override
        public Tensor probabilities(Graph graph) {
            Tensor share = graph.parameter(parameters().get(0)).sigmoid();
            int length = space.oneHotLength();
            double[] towardsZero = new double[length];
            Arrays.setAll(towardsZero, i -> (i % space.width() == 0 ? 1 : 0) - uniform()[i]);
            return share.matmul(graph.constant(towardsZero, 1, length))
                    .plus(graph.constant(uniform(), 1, length).spread(0, components))
                    .reshape(components, space.variables(), space.width());
        }

        @Override
        public double[] probabilities(ParameterValues values) {
            double[] logits = values.read("share");
            double[] uniform = uniform();
            double[] p = new double[components * uniform.length];
            Arrays.setAll(p, i -> {
                double share = 1 / (1 + Math.exp(-logits[i / uniform.length]));
                return share * (i % space.width() == 0 ? 1 : 0) + (1 - share) * uniform[i % uniform.length];
            });
            return p;
        }

        private double[] uniform() {
            double[] p = new double[space.oneHotLength()];
            Arrays.setAll(p, i -> space.validity()[i] / space.cardinality(i / space.width()));
            return p;
        }

        @Override
        public boolean isDelta() {
            return false;
        }

        @Override
        public boolean isZero() {
            return false;
        }
    }

    /** One trained atom for each component, by a straight-through code: a delta base with parameters. */
    private record TrainedDeltas(CodeSpace space, int components) implements Base {

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    new Parameter("logits", Initialiser.normal(1), components, space.variables(), space.width()));
        }

        @Override
        public Tensor probabilities(Graph graph) {
            return StraightThrough.FIRST_ORDER.oneHot(graph.parameter(parameters().get(0)), space, graph.ones(1, 1));
        }

        @Override
        public double[] probabilities(ParameterValues values) {
            return space.oneHot(space.indices(values.read("logits")));
        }

        @Override
        public boolean isDelta() {
            return true;
        }

        @Override
        public boolean isZero() {
            return false;
        }
    }

    /** The Renyi bound 1 / (1 - alpha) log E_q[(p / q)^(1 - alpha)] of Li and Turner (2016), 0 &lt;= alpha &lt; 1. */
    private record Renyi(double alpha) implements Objective {

        @Override
        public Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights) {
            long n = logJoint.extent(0);
            return logJoint.minus(logProb).times(1 - alpha).plus(weights.log(logJoint.graph().precision().tiny()))
                    .reshape(1, n).logSumExp().sum().times(1 / (1 - alpha));
        }
    }

    private static Map<String, Flow> own(int b) {
        Reversal reversal = new Reversal(SPACE, new DirectLogits(CodeSpace.uniform(3, 2), b));
        Map<String, Flow> flows = new LinkedHashMap<>();
        flows.put("reversal", reversal);
        flows.put("shared bias", new ShiftFlow(new SharedBias(SPACE, b)));
        flows.put("shared bias and given", new ShiftFlow(new Conditioned(new SharedBias(SPACE, b))));
        flows.put("stack", new FlowStack(List.of(new ShiftFlow(new SharedBias(SPACE, b)), reversal)));
        return flows;
    }

    @Nested
    class Flows extends FlowContract {
        @Override
        protected Map<String, Flow> flows(int components) {
            return own(components);
        }
    }

    @Nested
    class Networks extends ShiftNetworkContract {
        @Override
        protected Map<String, ShiftNetwork> networks() {
            return Map.of("shared bias", new SharedBias(SPACE, 2),
                    "of two categories", new SharedBias(CodeSpace.uniform(3, 2), 2));
        }
    }

    @Nested
    class Bases extends BaseContract {
        @Override
        protected Map<String, Base> bases() {
            return Map.of("delta or uniform", new DeltaOrUniform(SPACE, 2));
        }
    }

    @Nested
    class Objectives extends ObjectiveContract {
        @Override
        protected Map<String, Objective> objectives() {
            return Map.of("Renyi", new Renyi(0.5), "as importance weights", new Renyi(0));
        }
    }

    @Nested
    class Mixtures extends MixtureContract {
        @Override
        protected Map<String, Flow> flows() {
            return own(B);
        }

        @Override
        protected Map<String, Base> bases() {
            return Map.of("delta or uniform", new DeltaOrUniform(SPACE, B), "deltas", Deltas.zero(SPACE, B));
        }
    }

    /** Trained deltas are sampled by what they are; their surrogate has no temperature, so only values are checked. */
    @Test
    void aTrainedDeltaIsAnAtomAndTrains(@TempDir Path folder) throws IOException {
        Mixture atoms = new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(SPACE, 4)),
                new TrainedDeltas(SPACE, 4), Weighting.FREE);
        assertThat(trained(atoms, new Elbo(), folder)).isGreaterThan(first(atoms) + 0.2);
    }

    private static final FactorTarget TARGET =
            FactorTarget.table(SPACE, new Draws(Seed.of(6)).normal("p", (int) SPACE.size()));

    private static double first(Mixture mixture) {
        try (FlowMixture q = new FlowMixture(mixture, mixture.layout().initial(Seed.of(1)))) {
            return Bound.of(TARGET, q, 100, Seed.of(1)).value();
        }
    }

    /** The ELBO after VIF with checkpoints, which must be below the evidence and survive the file. */
    private static double trained(Mixture mixture, Objective objective, Path folder) throws IOException {
        // at the rate of 0.01 the first few hundred steps only loosen standard normal logits
        VifSettings usual = VifSettings.forMixture(mixture, 1600);
        VifSettings settings = new VifSettings(usual.samples(), Estimator.CHOSEN, usual.straightThrough(), objective, 0,
                usual.training());
        try (var vif = new GradientTraining<>(new Vif(TARGET, mixture, settings))) {
            try (FlowMixture q = vif.result(new Run<>(vif, Seed.of(1)).checkpoints(folder, 800).execute(false))) {
                double elbo = Bound.of(TARGET, q, 100, Seed.of(1)).value();
                assertThat(elbo).isLessThan(LogSpace.sumExp(TARGET.logJoint(SPACE.all(12))) + 1e-9);
                q.save(folder.resolve("q.mdnf"));
                try (FlowMixture read = FlowMixture.load(folder.resolve("q.mdnf"), mixture)) {
                    assertThat(read.logProb(SPACE.all(12))).containsExactly(q.logProb(SPACE.all(12)));
                    assertThat(read.sample(50, Seed.of(2))).isDeepEqualTo(q.sample(50, Seed.of(2)));
                }
                return elbo;
            }
        }
    }

    @Test
    @Tag("slow")
    void allTogetherTrainInVif(@TempDir Path folder) throws IOException {
        Flow stack = own(6).get("stack");
        Mixture mixture = new Mixture(Structure.JOINT, stack, new DeltaOrUniform(SPACE, 6), Weighting.FREE);
        assertThat(trained(mixture, new Elbo(), folder)).isGreaterThan(first(mixture) + 0.1);
    }

    @Test
    @Tag("slow")
    void anObjectiveOfOnesOwnTrainsInVif(@TempDir Path folder) throws IOException {
        Mixture mixture = new Mixture(Structure.PER_VARIABLE, own(6).get("shared bias"),
                FixedBase.dirichlet(SPACE, 6, 0.5, Seed.of(3)), Weighting.EQUAL);
        assertThat(trained(mixture, new Renyi(0.5), folder)).isGreaterThan(first(mixture) + 0.1);
    }

    @Test
    void aFileOfOnesOwnPartsSaysHowItIsRead(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("q.mdnf");
        Mixture mixture = new Mixture(Structure.JOINT, own(2).get("reversal"), FixedBase.uniform(SPACE, 2),
                Weighting.EQUAL);
        Mixture skewed = new Mixture(Structure.JOINT, own(2).get("reversal"),
                FixedBase.dirichlet(SPACE, 2, 0.5, Seed.of(3)), Weighting.EQUAL);
        Mixture atoms = Mixture.atoms(SPACE, 2);
        try (FlowMixture q = new FlowMixture(skewed, skewed.layout().initial(Seed.of(1)))) {
            q.save(file);
        }
        assertThatThrownBy(() -> CodeDistribution.load(file)).isInstanceOf(StoredFileException.class)
                .hasMessageContaining("Reversal").hasMessageContaining("FlowMixture.load(file, mixture)");
        assertThatThrownBy(() -> FlowMixture.load(file, mixture)).isInstanceOf(StoredFileException.class)
                .hasMessageContaining("other probabilities than what was saved");
        assertThatThrownBy(() -> FlowMixture.load(file, atoms)).hasMessageContaining("parameters: ");
        try (FlowMixture q = new FlowMixture(atoms, atoms.layout().initial(Seed.of(1)))) {
            q.save(file);
        }
        assertThatThrownBy(() -> FlowMixture.load(file, atoms)).hasMessageContaining("without a mixture");
    }

    /** A contract that nobody can break promises nothing. */
    @Test
    void brokenPartsAreFound() {
        ShiftNetwork cyclic = new Broken(SPACE);
        assertThatThrownBy(() -> new ShiftNetworkContract() {
            @Override
            protected Map<String, ShiftNetwork> networks() {
                return Map.of("cyclic", cyclic);
            }
        }.looksOnlyAtWhatItsDependenceAllows().forEach(test -> {
            try {
                test.getExecutable().execute();
            } catch (Throwable e) {
                throw new IllegalStateException(e.getMessage());
            }
        })).hasMessageContaining("a variable that none of");
    }

    /** Says it is autoregressive and looks at all variables. */
    private record Broken(CodeSpace space) implements ShiftNetwork {
        @Override
        public int components() {
            return 1;
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(new Parameter("w", Initialiser.normal(1), 1, space.oneHotLength(), space.oneHotLength()));
        }

        @Override
        public Dependence dependence() {
            return Dependence.AUTOREGRESSIVE;
        }

        @Override
        public Tensor logits(Graph graph, Inputs inputs) {
            Tensor rows = inputs.rows(1);
            return rows.matmul(graph.parameter(parameters().get(0)))
                    .reshape(1, rows.extent(1), space.variables(), space.width());
        }
    }
}
