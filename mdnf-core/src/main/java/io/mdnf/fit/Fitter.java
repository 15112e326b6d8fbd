package io.mdnf.fit;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.inference.Bvi;
import io.mdnf.inference.Bvif;
import io.mdnf.inference.BvifSettings;
import io.mdnf.inference.Learner;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.LargestRemainder;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Made;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.Examples;
import io.mdnf.search.Findings;
import io.mdnf.search.Support;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.Run;
import io.mdnf.training.RunStoppedException;
import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Fits a posterior of a named family to a target with defaults that need no tuning.
 *
 * <ul>
 *   <li>JOINT: gradient training of atoms (VIF, BVIF) or fixed deltas (BVI), then a search for better atoms.
 *   <li>FACTORISED: gradient training, then coordinate ascent from there and from many other starts.
 *   <li>AUTOREGRESSIVE: learned from codes of the posterior, see {@link Learner}.
 * </ul>
 * A search only ever replaces what training found by something with a better bound.
 *
 * <pre>{@code
 * Fit fit = new Fitter(target).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(1));
 * double elbo = fit.bound().value();
 * }</pre>
 */
public final class Fitter {

    private static final int ATOMS = 100;
    private static final int HIDDEN = 128;
    private static final long LEARNING_STEPS = 3000;
    private static final int BOUND_SAMPLES = 10_000;
    private static final int BEFORE_SEARCH = 300;
    private static final int SAVE_EVERY = 100;

    private final TargetModel target;
    private final Support support;
    private final Effort effort = Effort.standard();

    /**
     * Fits to a target.
     *
     * @param target what is fitted to
     * @param order an order of the variables for autoregressive posteriors, causes first; empty for left to right.
     *     Another one is taken if only that keeps clear of everything impossible
     */
    public Fitter(TargetModel target, int... order) {
        this.target = target;
        this.support = Support.of(target, order);
    }

    /**
     * Fits one family.
     *
     * @param options which, and how
     * @param seed where all randomness comes from
     * @return the fit
     * @throws IOException if a checkpoint cannot be written or read
     * @throws RunStoppedException if a listener wanted training to stop
     */
    public Fit fit(FitOptions options, Seed seed) throws IOException {
        if (options.components() < 0) {
            throw new IllegalArgumentException("components = " + options.components() + ": at least 1, or 0 for the default");
        }
        long start = System.nanoTime();
        Found found = switch (options.family()) {
            case JOINT -> joint(options, seed);
            case FACTORISED -> factorised(options, seed);
            case AUTOREGRESSIVE -> autoregressive(options, seed);
        };
        Estimate bound = Bound.of(target, found.posterior(), BOUND_SAMPLES, seed.fold("bound"));
        return new Fit(options.family(), value(found.posterior()), bound, found.posterior().mixture().components(), found.algorithm(), found.steps(),
                (System.nanoTime() - start) / 1e9);
    }

    /** Atoms and products by themselves need no flows any more. */
    private static CodeDistribution value(FlowMixture found) {
        if (!found.isAtoms() && !found.isProduct()) {
            return found;
        }
        try (found) {
            return found.isAtoms() ? found.atoms() : found.product();
        }
    }

    /** A posterior, what found it, and how many gradient steps that took. */
    private record Found(FlowMixture posterior, String algorithm, long steps) {}

    private <S> Found run(Algorithm<S, FlowMixture> algorithm, String name, FitOptions options, Seed seed) throws IOException {
        try (algorithm) {
            Run<S> run = new Run<>(algorithm, seed);
            options.listeners().forEach(run::listener);
            if (options.checkpoints().isPresent()) {
                run.checkpoints(options.checkpoints().get(), SAVE_EVERY);
            }
            S end = run.execute(options.checkpoints().isPresent());
            if (!algorithm.isFinished(end)) {
                throw new RunStoppedException(algorithm.info(end).step());
            }
            return new Found(algorithm.result(end), name, algorithm.info(end).step());
        }
    }

    private static int steps(FitOptions options, int alone) {
        return options.refine() ? BEFORE_SEARCH : options.steps() == 0 ? alone : Math.toIntExact(options.steps());
    }

    private int components(FitOptions options, int standard) {
        return options.components() == 0 ? standard : options.components();
    }

    // ---- atoms

    private Found joint(FitOptions options, Seed seed) throws IOException {
        int b = components(options, ATOMS);
        CodeSpace space = target.space();
        Weighting weighting = options.method() == FitOptions.Method.VIF ? options.weighting() : Weighting.FREE;
        Found trained = switch (options.method()) {
            case BVI -> run(new Bvi(target, Deltas.enumerating(space, b)), "BVI", options, seed);
            case VIF -> {
                Mixture mixture = Mixture.atoms(space, b, weighting);
                yield target.isDifferentiable() ? run(new GradientTraining<>(new Vif(target, mixture,
                        VifSettings.forMixture(mixture, steps(options, 10_000)))), "VIF", options, seed) : null;
            }
            case BVIF -> target.isDifferentiable() ? run(new GradientTraining<>(new Bvif(target, Mixture.atoms(space, b),
                    BvifSettings.standard(BvifSettings.Weights.SOLVED).withSteps(options.refine() ? 20 : 200))), "BVIF",
                    options, seed) : null;
        };
        if (!options.refine() || options.method() == FitOptions.Method.BVI) {
            if (trained == null) {
                throw new IllegalArgumentException(
                        "target " + target + " has no gradient; fit it refined, or with fixed deltas (BVI)");
            }
            return trained;
        }
        int[][] start = trained == null ? new int[0][] : trained.posterior().componentAtoms();
        Atoms refined = findings(b, b, seed).codes(start).atoms(b, weighting);
        if (trained != null && Bound.of(target, trained.posterior(), 2, seed).value()
                >= Bound.of(target, refined, 2, seed).value()) {
            return trained;
        }
        if (trained != null) {
            trained.posterior().close();
        }
        String name = trained == null ? "atom refinement" : trained.algorithm() + ", then atom refinement";
        return new Found(posterior(refined, b, weighting), name, trained == null ? 0 : trained.steps());
    }

    /** The mixture of shifts whose atoms and weights are given. */
    private FlowMixture posterior(Atoms atoms, int components, Weighting weighting) {
        CodeSpace space = target.space();
        Mixture mixture = Mixture.atoms(space, components, weighting);
        int[][] at;
        if (weighting == Weighting.EQUAL) {
            at = atoms.repeated(components);
        } else {
            int[][] distinct = atoms.codes();
            at = IntStream.range(0, components).mapToObj(b -> distinct[Math.min(b, distinct.length - 1)])
                    .toArray(int[][]::new);
        }
        double[] flat = mixture.layout().with("flow/shift/logits", space.oneHot(at), new double[mixture.layout().size()]);
        if (weighting == Weighting.FREE) {
            flat = mixture.weighted(atoms.weights(), flat);
        }
        return new FlowMixture(mixture, flat);
    }

    // ---- products

    private Found factorised(FitOptions options, Seed seed) throws IOException {
        int b = components(options, ATOMS);
        Mixture mixture = Mixture.factorised(target.space(), b);
        Found trained = target.isDifferentiable() ? run(new GradientTraining<>(new Vif(target, mixture,
                VifSettings.forMixture(mixture, steps(options, 2000)))), "VIF", options, seed) : null;
        if (!options.refine() && trained != null) {
            return trained;
        }
        Product[] start = trained == null ? new Product[0] : new Product[] {trained.posterior().product()};
        Product refined = findings(1, b, seed).product(start).grid();
        double[] logits = target.space().oneHot(LargestRemainder.columns(refined.q(), b));
        FlowMixture polished = new FlowMixture(mixture, logits);
        if (trained == null) {
            return new Found(polished, "coordinate ascent", 0);
        }
        double before = Bound.of(target, trained.posterior(), BOUND_SAMPLES, seed.fold("compare")).value();
        double after = Bound.of(target, polished, BOUND_SAMPLES, seed.fold("compare")).value();
        if (before >= after) {
            polished.close();
            return trained;
        }
        trained.posterior().close();
        return new Found(polished, "VIF, then coordinate ascent", trained.steps());
    }

    // ---- conditionals

    private Found autoregressive(FitOptions options, Seed seed) throws IOException {
        Findings findings = findings(effort.learning().atoms(), ATOMS, seed.fold("search"));
        int b = components(options, effort.learning().flows(target.space().width()));
        long steps = options.steps() == 0 ? LEARNING_STEPS : options.steps();
        Examples examples = findings.examples();
        Found learned = run(
                new GradientTraining<>(new Learner(target, support, b, this::network, examples, steps)),
                "learned from " + examples, options, seed);
        if (support.keepsClear() || Bound.of(target, learned.posterior(), BOUND_SAMPLES, seed.fold("bound")).value()
                > Double.NEGATIVE_INFINITY) {
            return learned;
        }
        learned.posterior().close();
        return found(findings.best(), learned.steps());
    }

    /** What the search found, for where impossible codes could not be learned: atoms and products give them nothing. */
    private Found found(CodeDistribution found, long steps) {
        if (found instanceof Atoms atoms) {
            return new Found(posterior(atoms, atoms.size(), Weighting.FREE), "atoms", steps);
        }
        Mixture mixture = Mixture.factorised(target.space(), ATOMS);
        return new Found(new FlowMixture(mixture,
                target.space().oneHot(LargestRemainder.columns(((Product) found).q(), ATOMS))), "a product", steps);
    }

    private Findings findings(int codes, int units, Seed seed) {
        return new Findings(target, support, codes, units, effort, seed);
    }

    private Made.Builder network(int b) {
        return Made.with(target.space(), b).hidden(HIDDEN).directConnections();
    }
}
