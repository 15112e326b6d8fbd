package io.mdnf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Marginals;
import io.mdnf.distribution.Product;
import io.mdnf.evaluation.ImportanceDiagnostics.Verdict;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.RunListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fits against the exact optimum of their family on random fields: a small part of {@code mdnf bench families}. */
class FitterTest {

    private static final int SEEDS = 4;
    /** A third of the standard steps: they reach the same bars. */
    private static final Plan.Autoregressive CONDITIONALS = Plan.autoregressive().withSteps(1000);
    /** A sixth: islands and black boxes are reached as closely. */
    private static final Plan.Autoregressive SHORT = Plan.autoregressive().withSteps(500);
    private static final List<Plan> PLANS = List.of(new Plan.Exact(), Plan.joint(), Plan.factorised(), SHORT);

    /** The standard effort but for learning: few chains' starts, and a small network. */
    private static Effort quick(int atoms, int hidden, int flows) {
        Effort all = Effort.standard();
        Effort.Learning l = all.learning();
        Effort.Correction c = all.correction();
        return new Effort(all.atoms(), all.products(), new Effort.Learning(atoms, 20, 200, l.evaluationSamples(),
                l.spread(), l.examples(), l.reach(), l.probes(), l.cleanProbes(), l.mostProbes(), flows, flows, 40),
                all.messages(), new Effort.Correction(hidden, c.rate(), c.chains(), c.fewestChains(), c.mostInputs(),
                        c.mostSeen(), c.steps(), c.fewestSteps(), c.triedSteps(), c.products(),
                        c.unlearnedEvery(), c.even(),
                        c.draws(), c.firstSweeps(), c.worth(), c.flatter()), all.fitting());
    }

    private static FactorTarget field(int seed) {
        Draws draws = new Draws(Seed.of(seed));
        int[] cardinalities = draws.uniform("cardinalities", 4 + seed % 3, 3);
        return Fields.random(Seed.of(seed).fold("field"), Arrays.stream(cardinalities).map(k -> k + 2).toArray());
    }

    private static double elbo(FactorTarget target, Plan options, int seed) throws IOException {
        Fit fit = new Fitter(target).fit(options, Seed.of(seed));
        fit.close();
        assertThat(fit.bound().isExact()).isTrue();
        return fit.bound().value();
    }

    @Test
    @Tag("slow")
    void atomsReachTheBestBAtoms() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            KlLimits limits = KlLimits.of(target.space(), target.logJoint(target.space().all(10_000)));
            Plan.Joint equal = Plan.joint().withComponents(8);
            assertThat(elbo(target, equal, seed)).isCloseTo(limits.equalAtoms(8).elbo(), Offset.offset(1e-9));
            Plan free = equal.by(Plan.Training.BVIF, Weighting.FREE);
            assertThat(elbo(target, free, seed)).isCloseTo(limits.freeAtoms(8).elbo(), Offset.offset(1e-9));
        }
    }

    @Test
    @Tag("slow")
    void productsReachTheBestProductOnTheGrid() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            KlLimits limits = KlLimits.of(target.space(), target.logJoint(target.space().all(10_000)));
            double best = limits.gridProduct(100, limits.products(100, Seed.of(1))).elbo();
            assertThat(elbo(target, Plan.factorised(), seed)).isCloseTo(best, Offset.offset(1e-6));
        }
    }

    /** Without number flows are the posterior; by number they have a grain: the bar of 40 was 0.03 when learned. */
    @Test
    void autoregressivePosteriorsAreThePosteriorButForTheGrainOfTheirFlows() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            double logEvidence = Fields.logEvidence(target);
            assertThat(elbo(target, Plan.autoregressive(), seed)).isCloseTo(logEvidence, Offset.offset(1e-9));
            Fit few = new Fitter(target).fit(Plan.autoregressive().withComponents(40), Seed.of(seed));
            assertThat(few.components()).hasValue(40);
            assertThat(few.family()).isEqualTo(Family.AUTOREGRESSIVE);
            assertThat(logEvidence - few.bound().value()).isBetween(0.0, 0.03);
            few.close();
        }
    }

    /** By VIF: no search, so a black box is as good, and far below the best product of a field that is none. */
    @Test
    @Tag("slow")
    void conditionalsByGradientsAloneSayThatTheyAreVif() throws IOException {
        FactorTarget target = field(1);
        Plan plan = Plan.autoregressive().withComponents(40).withSteps(400).unrefined();
        double evidence = Fields.logEvidence(target);
        double product = elbo(target, Plan.factorised(), 1);
        List<String> doing = new ArrayList<>();
        Fitter.Watch watch = new Fitter.Watch() {
            @Override
            public void at(double share, String what, double elbo) {
                doing.add(what);
            }
        };
        for (TargetModel each : List.of(target, new FunctionTarget(target.space(),
                x -> target.logJoint(new int[][] {x})[0]))) {
            try (Fit fit = new Fitter(each).watched(watch).fit(plan, Seed.of(1))) {
                assertThat(fit.algorithm()).isEqualTo("VIF");
                assertThat(fit.family()).isEqualTo(Family.AUTOREGRESSIVE);
                assertThat(fit.steps()).isEqualTo(400);
                assertThat(fit.components()).hasValue(40);
                assertThat(evidence - fit.bound().value()).isBetween(0.0, 0.3 * (evidence - product));
            }
        }
        assertThat(doing).containsOnly("training conditionals");
    }

    @Test
    @Tag("slow")
    void autoregressivePosteriorsGiveNothingToImpossibleCodes() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            CodeSpace space = CodeSpace.of(3, 2, 3, 2, 4, 2);
            Draws draws = new Draws(Seed.of(seed));
            List<Factor> factors = new ArrayList<>();
            for (int d = 1; d < 6; d++) {
                double[] u = draws.normal("factor" + d, space.cardinality(d - 1) * space.cardinality(d));
                factors.add(new Factor(new int[] {d, d - 1},
                        Arrays.stream(u).map(v -> v > 0.7 ? Double.NEGATIVE_INFINITY : 2 * v).toArray()));
            }
            FactorTarget target = new FactorTarget(space, factors);
            Fit fit = new Fitter(target, 2, 0, 5, 1, 4, 3).fit(Plan.autoregressive().withComponents(60), Seed.of(seed));
            try (CodeDistribution q = fit.distribution()) {
                double[] p = target.logJoint(space.all(1000));
                double[] logQ = q.logProb(space.all(1000));
                for (int i = 0; i < p.length; i++) {
                    assertThat(p[i] == Double.NEGATIVE_INFINITY && logQ[i] > Double.NEGATIVE_INFINITY).isFalse();
                }
                assertThat(Fields.logEvidence(target) - fit.bound().value()).isBetween(-1e-9, 0.02);
            }
        }
    }

    @Test
    @Tag("slow")
    void autoregressivePosteriorsReachEveryIslandAmongZeros() throws IOException {
        // 8 variables, each with two copies: no code leads to another by a change of one variable
        CodeSpace space = CodeSpace.uniform(24, 3);
        List<Factor> factors = new ArrayList<>();
        double[] copy = new double[9];
        Arrays.setAll(copy, i -> i % 4 == 0 ? 0 : Double.NEGATIVE_INFINITY);
        for (int d = 0; d < 24; d += 3) {
            factors.add(new Factor(new int[] {d}, new double[] {Math.log(0.2), Math.log(0.3), Math.log(0.5)}));
            factors.add(new Factor(new int[] {d, d + 1}, copy));
            factors.add(new Factor(new int[] {d, d + 2}, copy));
        }
        Fit fit = new Fitter(new FactorTarget(space, factors)).fit(SHORT, Seed.of(1));
        fit.close();
        // log evidence is 0; chains that stay where they start end at 1 or more below it
        assertThat(fit.bound().value()).isBetween(-0.03, 4 * fit.bound().standardError());
    }

    @Test
    @Tag("slow")
    void anotherOrderIsTakenWhereZerosWouldGoUnseen() throws IOException {
        // bits 0 .. 17 and their partial sums mod 2, 18 .. 34, the last one seen: it forbids half of the 2^18 bits
        int bits = 18;
        CodeSpace space = CodeSpace.uniform(2 * bits - 1, 2);
        double no = Double.NEGATIVE_INFINITY;
        double[] xor = {0, no, no, 0, no, 0, 0, no};
        List<Factor> factors = new ArrayList<>();
        factors.add(new Factor(new int[] {0, 1, bits}, xor));
        for (int i = 2; i < bits; i++) {
            factors.add(new Factor(new int[] {bits + i - 2, i, bits + i - 1}, xor));
        }
        factors.add(new Factor(new int[] {2 * bits - 2}, new double[] {no, 0}));
        FactorTarget target = new FactorTarget(space, factors);
        Fit fit = new Fitter(target).with(quick(50, 16, 20)).fit(Plan.autoregressive(), Seed.of(1));
        fit.close();
        assertThat(fit.bound().value()).isCloseTo((bits - 1) * Math.log(2), Offset.offset(0.05));
    }

    @Test
    void oneImpossibleCodeSettlesABound() {
        CodeSpace space = CodeSpace.uniform(20, 2);
        FunctionTarget target = new FunctionTarget(space, x -> x[3] == 0 ? 0 : Double.NEGATIVE_INFINITY);
        Mixture mixture = Mixture.factorised(space, 2);
        int[][] opposite = {new int[20], Arrays.stream(new int[20]).map(zero -> 1).toArray()};
        try (FlowMixture q = new FlowMixture(mixture, space.oneHot(opposite))) {
            assertThat(Bound.of(target, q, 100, Seed.of(1))).isEqualTo(Estimate.exact(Double.NEGATIVE_INFINITY));
        }
    }

    @Test
    @Tag("slow")
    void blackBoxesAreFittedByEvaluationAlone() throws IOException {
        FactorTarget target = field(2);
        FunctionTarget blackBox = new FunctionTarget(target.space(), x -> target.logJoint(new int[][] {x})[0]);
        for (Plan plan : PLANS) {
            Fit fit = new Fitter(blackBox).fit(plan, Seed.of(1));
            fit.close();
            assertThat(fit.bound().value()).as(plan.toString())
                    .isCloseTo(elbo(target, plan, 1), Offset.offset(0.05))
                    .isLessThanOrEqualTo(Fields.logEvidence(target) + 1e-9);
        }
        Plan boosting = Plan.joint().by(Plan.Training.BVIF, Weighting.FREE).unrefined();
        assertThatThrownBy(() -> new Fitter(blackBox).fit(boosting, Seed.of(1))).hasMessageContaining("no gradient");
    }

    /** The parity is even, which no network learns from few samples; where codes can be listed none has to. */
    @Test
    void listedBlackBoxesAreEliminatedAsOneFactor() throws IOException {
        FunctionTarget parity = new FunctionTarget(CodeSpace.uniform(14, 2), x -> Arrays.stream(x).sum() % 2 == 1
                ? Double.NEGATIVE_INFINITY : -0.3 * Arrays.stream(x).limit(7).sum());
        try (Fit fit = new Fitter(parity).fit(Plan.autoregressive(), Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.AUTOREGRESSIVE);
            // 2^13 codes are possible
            double logEvidence = 7 * Math.log(1 + Math.exp(-0.3)) + 6 * Math.log(2);
            assertThat(fit.bound().value()).isCloseTo(logEvidence, Offset.offset(1e-9));
            assertThat(fit.judgement().marginals().probabilities()[13][0]).isCloseTo(0.5, Offset.offset(1e-9));
        }
    }

    /** Copies of one another in pairs: what a few steps leave possible of impossible codes is left out by flows. */
    @Test
    @Tag("slow")
    void blackBoxesWithImpossibleCodesHaveAFiniteBound() throws IOException {
        FunctionTarget copies = new FunctionTarget(CodeSpace.uniform(20, 2),
                x -> x[1] == x[0] && x[3] == x[2] ? 0.5 * x[0] : Double.NEGATIVE_INFINITY);
        try (Fit fit = new Fitter(copies).with(quick(50, 4, 20)).fit(Plan.autoregressive(), Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.AUTOREGRESSIVE);
            assertThat(fit.components()).as("counted, to leave out what is impossible").hasValue(20);
            double logEvidence = Math.log(1 + Math.exp(0.5)) + 17 * Math.log(2);
            // one value of each pair is what a product has: halfway to it is for few steps and the grain of 20 flows
            double product = 0.5 + 16 * Math.log(2);
            assertThat(logEvidence - fit.bound().value()).isBetween(-4 * fit.bound().standardError(),
                    (logEvidence - product) / 2);
        }
    }

    @Test
    @Tag("slow")
    void sameSeedGivesTheSameFit() throws IOException {
        FactorTarget target = field(3);
        for (Plan plan : List.of(Plan.joint(), Plan.factorised(), CONDITIONALS.withSteps(100))) {
            assertThat(elbo(target, plan, 5)).as(plan.toString()).isEqualTo(elbo(target, plan, 5));
        }
    }

    /** 20 bits of which the parity of three is fixed: the best product has 17 free ones, the best 50 atoms 50 codes. */
    @Test
    @Tag("slow")
    void whereConditionalsCannotBeLearnedAProductMayBeTheBest() throws IOException {
        CodeSpace space = CodeSpace.uniform(20, 2);
        FunctionTarget parity = new FunctionTarget(space,
                x -> (x[17] + x[18] + x[19]) % 2 == 1 ? Double.NEGATIVE_INFINITY : 0);
        Fitter fitter = new Fitter(parity).with(quick(50, 4, 20));
        try (Fit fit = fitter.fit(Plan.autoregressive().withSteps(5), Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.FACTORISED);
            assertThat(fit.distribution()).isInstanceOf(Product.class);
            assertThat(fit.remark()).contains("impossible codes", "products");
            assertThat(fit.bound().value()).isCloseTo(17 * Math.log(2), Offset.offset(0.1));
        }
    }

    @Test
    void listingAnswersAtOnceAndExactly() throws IOException {
        FactorTarget target = field(1);
        assertThat(Plan.auto(target)).isInstanceOf(Plan.Exact.class);
        Fitter fitter = new Fitter(target);
        try (Fit fit = fitter.fit(Plan.auto(target), Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.EXACT);
            assertThat(fit.steps()).isZero();
            assertThat(fit.bound().value()).isCloseTo(Fields.logEvidence(target), Offset.offset(1e-10));
            assertThat(fit.components()).isEmpty();
            assertThat(((Atoms) fit.distribution()).size()).isEqualTo((int) target.space().size());
            Judgement judgement = fit.judgement();
            assertThat(judgement.verdict()).isEqualTo(Verdict.TRUSTED);
            assertThat(judgement.kl()).hasValue(Estimate.exact(0));
            assertThat(judgement.sentence()).contains("the posterior itself");
        }
        CodeSpace large = CodeSpace.uniform(40, 2);
        FunctionTarget blackBox = new FunctionTarget(large, x -> 0);
        assertThat(Plan.auto(blackBox)).isInstanceOf(Plan.Best.class);
        assertThatThrownBy(() -> new Fitter(blackBox).fit(new Plan.Exact(), Seed.of(1)))
                .hasMessageContaining("too many codes to list");
    }

    /** A finite sum over all codes is bound, truth and judgement at once. */
    @Test
    void anExactFitEvaluatesEveryCodeOnce() throws IOException {
        LongAdder evaluated = new LongAdder();
        FunctionTarget counted = new FunctionTarget(CodeSpace.uniform(6, 2), x -> {
            evaluated.increment();
            return x[0] - 0.5 * x[5];
        });
        try (Fit fit = new Fitter(counted).fit(new Plan.Exact(), Seed.of(1))) {
            assertThat(fit.judgement().kl()).contains(Estimate.exact(0));
            assertThat(fit.judgement().diagnostics().effectiveSampleSize()).isCloseTo(2000, Offset.offset(1e-9));
        }
        assertThat(evaluated.sum()).isEqualTo(64);
    }

    /** Conditionals by elimination are the truth, or made of it: nobody eliminates again to judge them. */
    @Test
    void exactConditionalsBringTheTruthWithThem() throws IOException {
        FactorTarget chain = new FactorTarget(CodeSpace.uniform(40, 2), IntStream.range(1, 40).mapToObj(d ->
                new Factor(new int[] {d - 1, d}, new double[] {0.5, 0, 0.25, d % 3})).toList());
        double logEvidence = chain.reduction().eliminate(1L << 20, "a chain", false).value();
        for (int components : new int[] {0, 4}) {
            Plan plan = new Plan.Best(List.of(Plan.autoregressive().withComponents(components)));
            assertThat(plan.findsTruth(chain)).isTrue();
            try (Fit fit = new Fitter(chain).fit(plan, Seed.of(1))) {
                assertThat(fit.judgement().truth().orElseThrow().logEvidence()).isEqualTo(logEvidence);
                assertThat(fit.judgement().kl().orElseThrow().value())
                        .isCloseTo(logEvidence - fit.bound().value(), Offset.offset(1e-12));
            }
        }
        assertThat(Plan.autoregressive().unrefined().findsTruth(chain)).isFalse();
        assertThat(Plan.autoregressive().within(Budget.usual().withTables(1)).findsTruth(chain)).isFalse();
        assertThat(Plan.joint().findsTruth(chain)).isFalse();
    }

    /** 3,000 binary variables in a chain: what no list holds, elimination does, and nothing is trained. */
    @Test
    @Tag("slow")
    void eliminationAnswersExactlyWhereCodesAreTooManyToList() throws IOException {
        CodeSpace space = CodeSpace.uniform(3000, 2);
        FactorTarget chain = new FactorTarget(space, IntStream.range(1, 3000).mapToObj(d -> new Factor(
                new int[] {d - 1, d}, new double[] {0.5, Double.NEGATIVE_INFINITY, 0.25, d % 3})).toList());
        assertThat(Plan.auto(chain, Budget.usual().withMemory(1000)))
                .isInstanceOf(Plan.Autoregressive.class);
        try (Fit fit = new Fitter(chain).fit(Plan.auto(chain), Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.EXACT);
            assertThat(fit.judgement().kl()).hasValue(Estimate.exact(0));
            assertThat(fit.judgement().sentence()).contains("3000 variables were eliminated exactly");
            int[][] codes = fit.distribution().sample(100, Seed.of(2));
            double[] logQ = fit.distribution().logProb(codes);
            double[] logJoint = chain.logJoint(codes);
            for (int i = 0; i < codes.length; i++) {
                assertThat(logJoint[i] - logQ[i]).isCloseTo(fit.bound().value(), Offset.offset(1e-7));
            }
            int[] impossible = new int[3000];
            impossible[2999] = 1;
            assertThat(fit.distribution().logProb(new int[][] {impossible})).containsExactly(Double.NEGATIVE_INFINITY);
            // x_0 = 1 allows x_1 = 0 alone or 1: counted against the exact marginal, 5 standard errors
            Marginals marginals = fit.judgement().marginals();
            assertThat(marginals.isExact()).isTrue();
            int ones = 0;
            for (int[] code : fit.distribution().sample(10_000, Seed.of(3))) {
                ones += code[0];
            }
            double p = marginals.probabilities()[0][1];
            assertThat(ones / 1e4).isCloseTo(p, Offset.offset(5 * Math.sqrt(p * (1 - p) / 1e4)));
        }
    }

    /** Every pair of 12 variables is linked, and no table may look at more than three. */
    @Test
    void boundedMessagesAnswerBetweenBoundsWhereTablesAreTooLarge() throws IOException {
        FactorTarget target = Fields.random(Seed.of(8), 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
        double logEvidence = Fields.logEvidence(target);
        try (Fit fit = new Fitter(target).fit(Plan.autoregressive().within(Budget.usual().within(0.5).withTables(8)),
                Seed.of(1))) {
            assertThat(fit.family()).isEqualTo(Family.AUTOREGRESSIVE);
            Answer answer = fit.answer().orElseThrow();
            assertThat(logEvidence).isBetween(answer.logEvidence().lower(), answer.logEvidence().upper());
            // the ELBO of all 4096 codes is a sum, not an estimate
            assertThat(fit.bound().isExact()).isTrue();
            assertThat(fit.bound().value()).isLessThan(logEvidence);
            assertThat(fit.judgement().sentence()).startsWith("The log evidence is at least ");
        }
    }

    /** 5 atoms of 2^20 codes: importance weights of atoms are nearly equal, and were called trustworthy. */
    @Test
    @Tag("slow")
    void whatLeavesMostOfThePosteriorOutIsNotTrusted() throws IOException {
        FactorTarget target = Fields.random(Seed.of(8), 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
        FunctionTarget blackBox = new FunctionTarget(target.space(), x -> target.logJoint(new int[][] {x})[0]);
        try (Fit fit = new Fitter(blackBox).fit(Plan.joint().withComponents(5), Seed.of(1))) {
            Judgement judgement = fit.judgement();
            assertThat(judgement.diagnostics().verdict()).as("by weights alone").isNotEqualTo(Verdict.UNRELIABLE);
            assertThat(judgement.verdict()).isEqualTo(Verdict.UNRELIABLE);
            assertThat(judgement.sentence()).contains("cannot be trusted");
            // what is said to be missing is a bound, so it never exceeds the gap
            double gap = logEvidence(target) - fit.bound().value();
            assertThat(judgement.missing()).isBetween(Effort.standard().fitting().tolerated(), gap);
        }
        Product everything = Product.uniform(CodeSpace.uniform(30, 2));
        FunctionTarget flat = new FunctionTarget(everything.space(), x -> 0);
        assertThat(judged(flat, everything).verdict()).isEqualTo(Verdict.TRUSTED);
        Judgement judgement = judged(flat, Product.delta(everything.space(), new int[30]));
        assertThat(judgement.verdict()).isEqualTo(Verdict.UNRELIABLE);
        // the code itself and 30 next to it
        assertThat(judgement.missing()).isCloseTo(Math.log(31), Offset.offset(1e-9));
    }

    private static Judgement judged(TargetModel target, Product q) {
        Estimate bound = Bound.of(target, q, 1000, Seed.of(2));
        Fitter.Found found = new Fitter.Found(Family.FACTORISED, q, bound, OptionalInt.of(2), "", "", 0);
        return Judgement.of(target, found, Double.NEGATIVE_INFINITY, Optional.empty(), Effort.standard().fitting(),
                Seed.of(1));
    }

    /** A product on one of two islands sees nothing of the other, all marginals off by a half, and was trusted. */
    @Test
    void aProductOnOneOfTwoIslandsIsNotTrusted() throws IOException {
        double equal = 12;
        FactorTarget chain = new FactorTarget(CodeSpace.uniform(30, 2), IntStream.range(1, 30)
                .mapToObj(d -> new Factor(new int[] {d - 1, d}, new double[] {equal, 0, 0, equal})).toList());
        try (Fit fit = new Fitter(chain).fit(Plan.factorised(), Seed.of(1))) {
            Judgement judgement = fit.judgement();
            assertThat(judgement.diagnostics().verdict()).as("by weights alone").isEqualTo(Verdict.TRUSTED);
            assertThat(judgement.missing()).isCloseTo(Math.log(2), Offset.offset(0.01));
            assertThat(judgement.verdict()).isEqualTo(Verdict.UNRELIABLE);
            assertThat(judgement.sentence()).isEqualTo("The fit cannot be trusted: by the most probable codes, which a "
                    + "search found, its bound is at least 0.69 nats too low.");
        }
    }

    /** The best product of two coupled coins, log 2 nats per pair from the posterior, was called trustworthy. */
    @Test
    void aProductOfWhatDependsOnEachOtherIsNotTrusted() {
        CodeSpace space = CodeSpace.uniform(30, 2);
        FunctionTarget coupled = new FunctionTarget(space, x -> x[0] == x[1] ? 0 : -1.5);
        Judgement judgement = judged(coupled, Product.uniform(space));
        // KL of the uniform product: log((1 + e^-1.5) / 2) + 0.75
        double kl = Math.log((1 + Math.exp(-1.5)) / 2) + 0.75;
        assertThat(judgement.diagnostics().verdict()).as("by weights alone").isEqualTo(Verdict.TRUSTED);
        assertThat(judgement.diagnostics().sentence()).doesNotContain("fit");
        assertThat(judgement.missing()).isCloseTo(kl, Offset.offset(0.03));
        assertThat(judgement.verdict()).isEqualTo(Verdict.UNRELIABLE);
        assertThat(judgement.sentence()).contains("cannot be trusted");
    }

    private static double logEvidence(FactorTarget target) {
        return LogSpace.sumExp(target.logJoint(target.space().all(1 << 20)));
    }

    /** A bar that counted families stood still for a minute. */
    @Test
    @Tag("slow")
    void howFarAFitIsRisesWithinEveryFamily() throws IOException {
        FactorTarget target = Fields.random(Seed.of(8), 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
        Map<String, List<Double>> heard = new LinkedHashMap<>();
        List<Double> bounds = new ArrayList<>();
        Plan all = new Plan.Best(List.of(Plan.joint(), Plan.factorised(), Plan.autoregressive()));
        Fit fit = new Fitter(target).with(quick(50, 4, 20)).watched(new Fitter.Watch() {
            @Override
            public void at(double share, String doing, double elbo) {
                heard.computeIfAbsent(doing, stage -> new ArrayList<>()).add(share);
                bounds.add(elbo);
            }
        }).fit(all, Seed.of(1));
        fit.close();
        assertThat(heard).containsOnlyKeys("training atoms", "searching codes", "searching a product",
                "passing messages");
        List<Double> shares = heard.values().stream().flatMap(List::stream).toList();
        assertThat(shares).isSorted().allMatch(share -> share >= 0 && share <= 1);
        assertThat(shares.get(shares.size() - 1)).isEqualTo(1.0);
        heard.forEach((doing, its) -> assertThat(its.stream().distinct().count()).as(doing).isGreaterThan(
                doing.startsWith("searching") ? 3 : doing.startsWith("passing") ? 1 : 100));
        assertThat(bounds.get(bounds.size() - 1)).isEqualTo(fit.bound().value());
        assertThat(bounds.get(0)).isNotEqualTo(fit.bound().value());
    }

    /** The largest of noisy estimates was shown, above the log evidence. */
    @Test
    @Tag("slow")
    void noBoundThatIsShownIsAboveTheEvidence() throws IOException {
        FactorTarget target = field(2);
        List<Double> bounds = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        new Fitter(target).watched(new Fitter.Watch() {
            @Override
            public void at(double share, String doing, double elbo) {
                bounds.add(elbo);
                shares.add(share);
            }
        }).fit(CONDITIONALS.withSteps(200), Seed.of(1)).close();
        assertThat(shares).as("a listed target has no searches to count").endsWith(1.0);
        double logEvidence = Fields.logEvidence(target);
        assertThat(bounds).anyMatch(Double::isFinite).noneMatch(elbo -> elbo > logEvidence + 1e-6);
    }

    /** A bound that was not known was said to be NaN. */
    @Test
    void linesSayHowFarAFitIsAndNoMoreThanIsKnown() {
        List<String> said = new ArrayList<>();
        Fitter.Watch watch = Pace.lines(said::add, 0);
        watch.at(0.004, "searching codes", Double.NaN);
        watch.at(0.5, "learning conditionals", -1.25);
        assertThat(said).containsExactly("0 %, searching codes", "50 %, learning conditionals, ELBO about -1.2500");
        Fitter.Watch.lines(said::add).at(1, "soon", 0);
        assertThat(said).as("ten seconds have not passed").hasSize(2);
    }

    @Test
    void theLatestEstimateIsShownAndNotTheLargest() {
        List<Double> shown = new ArrayList<>();
        Pace pace = new Pace(new Fitter.Watch() {
            @Override
            public void at(double share, String doing, double elbo) {
                shown.add(elbo);
            }
        }, EnumSet.of(Pace.Stage.CONDITIONALS));
        RunListener training = pace.training(Pace.Stage.CONDITIONALS, 10);
        training.onStep(new Algorithm.Info(1, 1, -2, -2, 1));
        training.onStep(new Algorithm.Info(2, 1, -3, -2, 1));
        pace.reached(-4);
        assertThat(shown).containsExactly(-2.0, -3.0, -4.0);
    }

    @Test
    @Tag("slow")
    void theBestOfSeveralPlansIsKept() throws IOException {
        FactorTarget target = field(2);
        Plan.Best all = new Plan.Best(List.of(Plan.joint().withComponents(4), Plan.factorised(),
                CONDITIONALS.withSteps(20)));
        try (Fit fit = new Fitter(target).fit(all, Seed.of(1))) {
            assertThat(fit.attempts()).extracting(Fit.Attempt::family)
                    .containsExactly(Family.JOINT, Family.FACTORISED, Family.AUTOREGRESSIVE);
            assertThat(fit.judgement().kl().orElseThrow().value()).as("where codes are few the truth is known")
                    .isCloseTo(Fields.logEvidence(target) - fit.bound().value(), Offset.offset(1e-9));
            assertThat(fit.bound().value()).isEqualTo(
                    fit.attempts().stream().mapToDouble(attempt -> attempt.bound().value()).max().getAsDouble());
        }
        assertThatThrownBy(() -> new Plan.Best(List.of(all))).hasMessageContaining("none that is a best of others");
        assertThatThrownBy(() -> Plan.joint().withComponents(-2)).hasMessageContaining("components = -2");
        assertThatThrownBy(() -> Plan.autoregressive().withSteps(-1)).hasMessageContaining("steps = -1");
        assertThatThrownBy(() -> new Fitter(target, 0, 1)).hasMessageContaining("not a permutation of 0 ..");
    }
}
