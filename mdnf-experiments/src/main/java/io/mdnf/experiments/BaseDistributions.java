package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.gmm.BayesianGaussianMixture;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.FlowSettings;
import io.mdnf.gmm.FlowSettings.Annealing;
import io.mdnf.gmm.FlowSettings.Keep;
import io.mdnf.gmm.FlowSettings.Algorithm;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.MixtureStart;
import io.mdnf.gmm.VariationalEm;
import io.mdnf.inference.Bvif;
import io.mdnf.inference.BvifSettings;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Decimals;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingTask;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The paper's study of base distributions and temperature, on Asia and on the Gaussian mixture: bases from deltas over
 * Dirichlet draws of growing concentration, and constant temperatures over four decades.
 */
final class BaseDistributions {
    private static final double[] ALPHAS = {0, 0.01, 0.1, 1, 10};
    private static final double[] TEMPERATURES = {0.01, 0.1, 1, 10, 100};
    private static final int TEMPERATURE_COMPONENTS = 10;

    /** What varies, by its place and for people. */
    private static List<Item<Integer>> choices(Stream<String> titles) {
        List<String> all = titles.toList();
        return IntStream.range(0, all.size()).mapToObj(i -> new Item<>(Integer.toString(i), all.get(i), i)).toList();
    }

    /** Fits one setting with one seed and says how far from the truth it ended, in nats. */
    private interface Trial {
        double of(int series, int group, int seed);
    }

    /** One plot and its table: what varies over which settings, what was reached. */
    private record Panel(String name, String title, String groupLabel, String measure,
            Results<Item<Integer>, Item<Integer>, Double> results) {

        double median(int series, int group) {
            return results.median(results.cases().get(group), results.methods().get(series), nats -> nats);
        }

        Block.Table table() {
            return Named.cross(title + ": median " + measure + " in nats", groupLabel, results.cases(),
                    results.methods(), (group, series) -> fixed(median(series.value(), group.value()), 3));
        }

        /** A KL is positive and spans decades; a difference between local optima may be negative. */
        Block.Figure figure() {
            return new Block.Figure(name, new BoxPlot(title, "Box plots of " + measure + " by " + groupLabel + ".",
                    groupLabel, results.caseTitles(),
                    measure.startsWith("KL") ? Axis.log(measure, "nats") : Axis.linear(measure, "nats"),
                    results.boxes(results.methods(), nats -> nats), List.of()), "");
        }
    }

    private BaseDistributions() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, workplace.pick(5, 10), workplace.pick(500, 3000), workplace.pick(30, 100),
                workplace.pick(new int[] {3, 10}, new int[] {3, 10, 40}));
    }

    static ReportSection run(Workplace workplace, int repeats, int steps, int emSteps, int[] sizes) throws IOException {
        List<Item<Integer>> sizeNames = choices(Arrays.stream(sizes).mapToObj(b -> "B = " + b));
        List<Item<Integer>> alphas = choices(Arrays.stream(ALPHAS).mapToObj(a -> a == 0 ? "delta" : Decimals.plain(a)));
        List<Item<Integer>> taus = choices(Arrays.stream(TEMPERATURES).mapToObj(Decimals::plain));
        List<Item<Integer>> algorithms = choices(Stream.of("VIF", "BVIF"));
        String fixed = ", B = " + TEMPERATURE_COMPONENTS;
        Fits fits = Fits.of(workplace.seed().fold("base-distributions"), sizes, steps, emSteps);
        List<Panel> panels = List.of(
                panel(workplace, "base-asia", "Base distributions, Asia (asia, xray)", "Dirichlet alpha", alphas,
                        "KL(q || p)", sizeNames, repeats, fits::baseOnAsia),
                panel(workplace, "base-gmm", "Base distributions, Gaussian mixture (artificial)", "Dirichlet alpha",
                        alphas, "closed form - ELBO", sizeNames, repeats, fits::baseOnMixture),
                panel(workplace, "temperature-asia", "Constant temperature, Asia (asia, xray)" + fixed, "tau", taus,
                        "KL(q || p)", algorithms, repeats, fits::temperatureOnAsia),
                panel(workplace, "temperature-gmm", "Constant temperature, Gaussian mixture (artificial)" + fixed,
                        "tau", taus, "closed form - ELBO", algorithms, repeats, fits::temperatureOnMixture));
        return report(workplace, panels, repeats).found(findings(panels.get(0), panels.get(1), sizes));
    }

    /** The fits of a series s at a group g with repeat r. */
    private record Fits(Seed root, int[] sizes, int steps, int emSteps, double[] logJoint, TargetModel asia,
            BayesianGaussianMixture gmm) {

        static Fits of(Seed root, int[] sizes, int steps, int emSteps) {
            NetworkTarget network = new NetworkTarget(PaperCases.ASIA_XRAY.evidence());
            // a base that is no delta gives impossible codes some mass: without a floor its KL is infinite
            double[] logJoint = network.floored().logJoint(network.space().all());
            return new Fits(root, sizes, steps, emSteps, logJoint, FactorTarget.table(network.space(), logJoint),
                    BayesianGaussianMixture.standard(GaussianMixtureData.artificial(0), 3));
        }

        private Seed seed(String name, int s, int g, int r) {
            return root.fold(name).fold(s).fold(g).fold(r);
        }

        double baseOnAsia(int s, int g, int r) {
            Seed seed = seed("asia", s, g, r);
            Base base = ALPHAS[g] == 0 ? Deltas.random(asia.space(), sizes[s], seed)
                    : FixedBase.dirichlet(asia.space(), sizes[s], ALPHAS[g], seed);
            Mixture mixture = new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(asia.space(), sizes[s])),
                    base, Weighting.EQUAL);
            return kl(new Vif(asia, mixture, VifSettings.forMixture(mixture, steps)), seed);
        }

        double baseOnMixture(int s, int g, int r) {
            return gap(FlowSettings.standard(Algorithm.VIF, sizes[s]).withKeep(Keep.PER_POINT).withAlpha(ALPHAS[g]), r,
                    seed("gmm", s, g, r));
        }

        double temperatureOnAsia(int s, int g, int r) {
            Mixture mixture = Mixture.atoms(asia.space(), TEMPERATURE_COMPONENTS);
            TemperatureSchedule tau = TemperatureSchedule.constant(TEMPERATURES[g]);
            BvifSettings boost = BvifSettings.standard(BvifSettings.Weights.TRAINED);
            VifSettings together = VifSettings.forMixture(mixture, steps);
            return kl(s == 0
                    ? new Vif(asia, mixture, together.withTraining(together.training().withTemperature(tau)))
                    : new Bvif(asia, mixture, boost.withSteps(Math.max(1, steps / TEMPERATURE_COMPONENTS))
                            .withTraining(boost.training().withTemperature(tau))), seed("tau", s, g, r));
        }

        double temperatureOnMixture(int s, int g, int r) {
            FlowSettings settings = s == 0
                    ? FlowSettings.standard(Algorithm.VIF, TEMPERATURE_COMPONENTS).withKeep(Keep.PER_POINT)
                    : FlowSettings.standard(Algorithm.BVIF, TEMPERATURE_COMPONENTS).withKeep(Keep.OVERALL);
            return gap(settings.withAnnealing(new Annealing(TEMPERATURES[g], 0, 0, TEMPERATURES[g])), r,
                    seed("gmm tau", s, g, r));
        }

        /** Trains to the end; KL summed over all codes. */
        private double kl(TrainingTask<FlowMixture> task, Seed seed) {
            try (GradientTraining<FlowMixture> training = new GradientTraining<>(task);
                    FlowMixture q = training.result(training.finish(training.init(seed)))) {
                double[] table = q.table();
                return LogSpace.sumExp(logJoint) - IntStream.range(0, table.length).filter(c -> table[c] > 0)
                        .mapToDouble(c -> table[c] * (logJoint[c] - Math.log(table[c]))).sum();
            }
        }

        /** How much EM with flows ends below the closed form from the same start; gradients alone, no refinement. */
        private double gap(FlowSettings settings, int start, Seed seed) {
            EmState from = MixtureStart.RANDOM_POINTS.of(gmm, new SplittableRandom(start));
            double closedForm = VariationalEm.closedForm(gmm, VariationalEm.STANDARD).fit(from, state -> { }).elbo();
            try (VariationalEm em = VariationalEm.byFlows(gmm, settings.withIterations(200, 50),
                    VariationalEm.stop(emSteps), seed)) {
                return closedForm - em.fit(from, state -> { }).elbo();
            }
        }
    }

    /** Deltas beside what equal atoms allow, the widest bases beside deltas, and deltas on the other problem. */
    private static List<Finding> findings(Panel asia, Panel mixture, int[] sizes) {
        int last = sizes.length - 1;
        String size = "B=" + sizes[last];
        int widest = ALPHAS.length - 1;
        return List.of(new Finding("KL on Asia, " + size + ", delta bases (nats, ↓)",
                        fixed(asia.median(last, 0), 3), Finding.NONE,
                        fixed(PaperCases.ASIA_XRAY.limits().equalAtoms(sizes[last]).kl(), 3)),
                new Finding("KL on Asia, " + size + ", bases of Dirichlet " + Decimals.plain(ALPHAS[widest])
                        + " (nats, ↓)",
                        fixed(asia.median(last, widest), 3), Finding.NONE, Finding.NONE),
                new Finding("ELBO below the closed form, Gaussian mixture, " + size + ", delta bases (nats, ↓)",
                        fixed(mixture.median(last, 0), 3), Finding.NONE, Finding.NONE));
    }

    private static Panel panel(Workplace workplace, String name, String title, String groupLabel,
            List<Item<Integer>> groups, String measure, List<Item<Integer>> series, int repeats, Trial trial)
            throws IOException {
        return new Panel(name, title, groupLabel, measure, Study.of(groups, series, repeats).run(workplace, name,
                Double.class, each -> trial.of(each.method().value(), each.test().value(), each.seed())));
    }

    private static ReportSection report(Workplace workplace, List<Panel> panels, int repeats) throws IOException {
        CsvTable csv = new CsvTable("study", "series", "setting", "seed", "nats");
        panels.forEach(panel -> panel.results().all().forEach((trial, nats) -> csv.row(panel.name(),
                trial.method().title(), trial.test().title(), trial.seed(), nats)));
        csv.write(workplace.file("base-distributions.csv"));
        return ReportSection.of("base-distributions", "Base distributions and temperature")
                .with(new Block.Paragraph("Bases from deltas (alpha to 0) towards uniform (large alpha), and constant "
                        + "temperatures, " + repeats + " seeds each. Asia: JOINT mixtures of shift flows with direct "
                        + "logits, KL summed over all codes; probabilities of 0 in the network count as 1e-15, as "
                        + "published, because any base but a delta puts mass on impossible codes, whose true KL is "
                        + "infinite. Gaussian mixture: difference to the closed form from the "
                        + "same start, by gradients alone, since the exact refinement would hide both effects."))
                .withAll(panels.stream().flatMap(panel -> Stream.of(panel.table(), panel.figure())).toList());
    }
}
