package io.mdnf.cli;

import io.mdnf.base.FixedBase;
import io.mdnf.experiments.Experiment;
import io.mdnf.experiments.Scale;
import io.mdnf.experiments.Soundness;
import io.mdnf.experiments.Soundness.Kind;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.report.Progress;
import io.mdnf.target.Lattice;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf bench}: how fast and how accurate the library is on this machine. */
@Command(name = "bench", description = "Measure speed and accuracy on this machine.",
        footer = "  mdnf bench sachs --seconds 10", subcommands = {BenchPlan.class, BenchFamilies.class,
            BenchKill.class, BenchUai.class, BenchPeers.class})
final class Bench extends CommandGroup {

    private static final int IMAGES = 2048;

    @Command(name = "sachs", footer = "  mdnf bench sachs --line", description = {
        "Times the training step of a joint mixture of 40 deltas on Sachs.",
        "Akt=LOW: D=10, K=3, B=40, S=100, RMSprop 0.01, tau = max(10 exp(-0.01 i), 0.001), float."})
    int sachs(@Mixin BenchTraining bench) {
        return bench.train("sachs-D10-K3-B40-S100", "sachs", "Akt=LOW", target -> Mixture.atoms(target.space(), 40),
                TemperatureSchedule.exponential(10, 0.01, 0.001));
    }

    @Command(name = "hepar", footer = "  mdnf bench hepar --components 20 --profile", description = {
        "Times the training step of the paper's joint mixture of MADE flows on Hepar II.",
        "carcinoma=present; linear flows with one hidden layer of 69, bases from Dirichlet(0.01), S=100, RMSprop 0.01, "
            + "tau = 0.1, float."})
    int hepar(@Mixin BenchTraining bench,
            @Option(names = "--components", paramLabel = "B", defaultValue = "20", description = "How many flows")
            int components) {
        if (components < 1 || components > 1000) {
            throw new UsageProblem("--components " + components + ": 1 to 1000 are possible");
        }
        return bench.train("hepar-made-B" + components + "-S100", "hepar2", "carcinoma=present",
                target -> Mixture.made(FixedBase.dirichlet(target.space(), components, 0.01,
                        bench.seed.seed().fold("base")), Weighting.EQUAL), TemperatureSchedule.constant(0.1));
    }

    @Command(name = "vae", footer = "  mdnf bench vae --paper", description = {
        "Times the training step of a VAE on random images of 28 x 28: pixels, noise, gradient, Adam.",
        "The model is that of 'vae train'; --paper is what other programs are compared with."})
    int vae(@Mixin BenchTraining bench, @Mixin VaeModelOptions model) {
        VaeSettings settings = model.settings(false);
        Nd4jStart.now();
        int[] grey = new Draws(Seed.of(1)).uniform("pixels", IMAGES * 28 * 28, 256);
        byte[] pixels = new byte[grey.length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) grey[i];
        }
        String workload = String.format(Locale.ROOT, "vae-%s-%s-D%d-K%d-B%s", settings.posterior(),
                settings.components() == VaeSettings.UNLIMITED ? settings.algorithm() : settings.head(),
                settings.latents(), settings.categories(), settings.values().get("components"));
        VaeTraining task = new VaeTraining(settings, DigitImages.of(28, 28, pixels), Integer.MAX_VALUE);
        try (GradientTraining<TrainedVae> training = new GradientTraining<>(task)) {
            bench.measure(workload, settings.space(), settings.components(), settings.batch(), training);
        }
        return 0;
    }

    @Command(name = "ising", footer = "  mdnf bench ising --size 16 --beta 0.4407", description = {
        "Answers the periodic Ising model within a budget, beside its exact log Z by Kaufman's formula.",
        "The ELBO and the share of effective samples are those of the posterior that was found."})
    int ising(@Mixin BenchLattice bench) {
        return bench.answer((size, beta, seed) -> Lattice.ising(size, beta), Lattice::isingLogSum);
    }

    @Command(name = "potts", footer = "  mdnf bench potts --size 8 --states 3 --beta 1.005", description =
        "The same for the periodic Potts model; log Z is known where elimination is feasible.")
    int potts(@Mixin BenchLattice bench,
            @Option(names = "--states", paramLabel = "Q", defaultValue = "3", description = "States of a site")
            int states) {
        if (states < 2 || states > 100) {
            throw new UsageProblem("--states " + states + ": 2 to 100 are possible");
        }
        return bench.answer((size, beta, seed) -> Lattice.potts(size, states, beta), (size, beta) -> Double.NaN);
    }

    @Command(name = "spin-glass", footer = "  mdnf bench spin-glass --size 10 --beta 1 --seed 3", description =
        "The same for couplings of beta or -beta by the toss of a coin; log Z is known where elimination is feasible.")
    int spinGlass(@Mixin BenchLattice bench) {
        return bench.answer(Lattice::spinGlass, (size, beta) -> Double.NaN);
    }

    @Command(name = "growth", footer = "  mdnf bench growth --out runs/growth", description = {
        "Measures time and memory of a step over B, D, K, S and the batch, each doubled four times.",
        "Fits exponents, beside the paper's O(B D) forward and O(B) reverse, and draws them; the same as 'reproduce "
            + "growth'."})
    int growth(@Option(names = "--out", paramLabel = "DIR", defaultValue = "runs/growth",
                    description = "Where to write")
            Path folder,
            @Mixin SeedOption seed,
            @Mixin QuietOption quiet, @Mixin JsonOption json) throws IOException {
        return reproduced("growth", folder, seed, quiet, json);
    }

    @Command(name = "sizes", footer = "  mdnf bench sizes --out runs/sizes", description = {
        "Measures time and memory of messages over the number of variables, from 50 to 5,000.",
        "Chains, trees, grids and random graphs, with exponents and plots; the same as 'reproduce sizes'."})
    int sizes(@Option(names = "--out", paramLabel = "DIR", defaultValue = "runs/sizes",
                    description = "Where to write")
            Path folder,
            @Mixin SeedOption seed,
            @Mixin QuietOption quiet, @Mixin JsonOption json) throws IOException {
        return reproduced("sizes", folder, seed, quiet, json);
    }

    private static int reproduced(String experiment, Path folder, SeedOption seed, QuietOption quiet, JsonOption json)
            throws IOException {
        Nd4jStart.now();
        ExperimentRun run = ExperimentRun.of(Experiment.named(experiment).orElseThrow(),
                new ExperimentRun.Request(folder, Scale.QUICK, seed.number(), Optional.empty(), false, quiet.given(),
                        Optional.empty()));
        json.answer(run::section, out -> {
            out.print(TextTables.text(run.section()));
            out.println("plots: " + run.folder());
        });
        return 0;
    }

    @Command(name = "soundness", footer = "  mdnf bench soundness --networks 100 --seed 7", description = {
        "Counts broken promises over random networks, every family and algorithm fitted to each.",
        "Bounds above the log evidence, distributions that do not sum to 1, samples outside the support, exceptions; "
            + "networks of 3 to 12 nodes with zeros, mixed cardinalities and random evidence. Exits 1 for any."})
    int soundness(
            @Option(names = "--networks", paramLabel = "N", defaultValue = "100", description = "How many networks")
            int networks,
            @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
                    description = "The first network's seed, the others follow")
            long seed,
            @Option(names = "--threads", paramLabel = "N",
                    description = "Networks at a time; one per processor by default.")
            Integer threads,
            @Mixin QuietOption quiet, @Mixin JsonOption json) {
        UsageProblem.ifBelowOne("--networks", networks);
        int pool = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        UsageProblem.ifBelowOne("--threads", pool);
        Nd4jStart.now();
        Soundness found;
        try (Progress progress = quiet.progress("soundness", networks, "")) {
            found = Soundness.of(networks, seed, pool, progress);
        }
        json.answer(() -> found, out -> {
            out.printf("%d networks from seed %d, %d fits: %d bounds above the truth, %d sums other than 1, %d with"
                    + " impossible samples, %d exceptions; without a finite bound, as they say: %s, %d of"
                    + " them with impossible samples%n", networks, seed, found.fits(), found.count(Kind.BOUND),
                    found.count(Kind.SUM), found.count(Kind.SAMPLE), found.count(Kind.EXCEPTION),
                    found.withoutBound(), found.impossible());
            found.problems().forEach(out::println);
        });
        return found.problems().isEmpty() ? 0 : 1;
    }
}
