package io.mdnf.fit;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.inference.AnnealedSettings;
import io.mdnf.inference.AnnealedVif;
import io.mdnf.inference.Bvi;
import io.mdnf.inference.Bvif;
import io.mdnf.inference.BvifSettings;
import io.mdnf.inference.Learner;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.Made;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.Examples;
import io.mdnf.search.Findings;
import io.mdnf.search.FoundCodes;
import io.mdnf.search.Support;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.Run;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Fits a posterior to a target by a {@link Plan}, with defaults that need no tuning.
 *
 * <ul>
 *   <li>exact: all codes are listed.
 *   <li>joint: gradient training of atoms (VIF, BVIF) or fixed deltas (BVI), then a search for better atoms.
 *   <li>factorised: coordinate ascent from many starts, for a black box after gradient training.
 *   <li>autoregressive: learned from codes of the posterior, see {@link Learner}, or, unrefined, trained by VIF.
 * </ul>
 * A search only ever replaces what training found by something with a better bound. Where several plans are tried the
 * searches are made once.
 *
 * <pre>{@code
 * try (Fit fit = new Fitter(target).fit(Plan.autoregressive(), Seed.of(1))) {
 *     double elbo = fit.bound().value();
 * }
 * }</pre>
 */
public final class Fitter {

    /** Hears how a fit goes. */
    public interface Watch {

        /** Returns who listens to the training for a family. */
        default List<RunListener> of(Family family) {
            return List.of();
        }

        /**
         * Says how far a fit is, often, and from the thread that fits.
         *
         * @param share of the work that is done, from 0 to 1; it never falls
         * @param doing what is under way, in a few words
         * @param elbo the best bound so far, NaN if there is none yet
         */
        default void at(double share, String doing, double elbo) {}
    }

    private final TargetModel target;
    private final Support support;
    private final Effort effort;
    private final Optional<Path> checkpoints;
    private final Watch watch;

    /**
     * Fits to a target with the standard effort.
     *
     * @param order an order of the variables for autoregressive posteriors, causes first; empty for left to right.
     *     Another one is taken if only that keeps clear of everything impossible
     */
    public Fitter(TargetModel target, int... order) {
        this(target, Support.of(target, order), Effort.standard(), Optional.empty(), new Watch() {});
    }

    private Fitter(TargetModel target, Support support, Effort effort, Optional<Path> checkpoints, Watch watch) {
        this.target = target;
        this.support = support;
        this.effort = effort;
        this.checkpoints = checkpoints;
        this.watch = watch;
    }

    /** Returns the same with another effort. */
    public Fitter with(Effort other) {
        return new Fitter(target, support, other, checkpoints, watch);
    }

    /**
     * Returns the same with gradient training saved, in a folder for each family, and resumed if it was saved there.
     */
    public Fitter saving(Path folder) {
        return new Fitter(target, support, effort, Optional.of(folder), watch);
    }

    /** Returns the same watched; unwatched or not, a fit tells its log how far it is. */
    public Fitter watched(Watch listeners) {
        return new Fitter(target, support, effort, checkpoints, listeners);
    }

    /**
     * Fits; the caller closes the fit.
     *
     * @throws IOException if a checkpoint cannot be written or read
     * @throws RunStoppedException if a listener wanted training to stop
     */
    public Fit fit(Plan plan, Seed seed) throws IOException {
        List<Plan> plans = plan instanceof Plan.Best best ? best.plans() : List.of(plan);
        Pace pace = new Pace(watch, stages(plans));
        Findings findings = findings(plans, seed).watched(pace::searching);
        long start = System.nanoTime();
        List<Fit.Attempt> attempts = new ArrayList<>();
        Fit best = null;
        try {
            for (Plan each : plans) {
                long begin = System.nanoTime();
                Fit found = found(each, findings, pace, seed);
                attempts.add(new Fit.Attempt(found.family(), found.bound(), found.steps(), seconds(begin)));
                boolean better = best == null || found.bound().value() > best.bound().value();
                if (best != null) {
                    (better ? best : found).close();
                }
                best = better ? found : best;
                pace.reached(best.bound().value());
            }
        } catch (IOException | RuntimeException e) {
            if (best != null) {
                best.close();
            }
            throw e;
        }
        return best.after(seconds(start), attempts);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** What a fit will go through, as far as can be told before. */
    private Set<Pace.Stage> stages(List<Plan> plans) {
        Set<Pace.Stage> stages = EnumSet.noneOf(Pace.Stage.class);
        for (Plan plan : plans) {
            boolean searched = plan instanceof Plan.Joint joint ? joint.refine()
                    : plan instanceof Plan.Factorised product ? product.refine()
                    : plan instanceof Plan.Autoregressive conditionals && conditionals.refine();
            if (plan instanceof Plan.Joint && (target.isDifferentiable() || !searched)) {
                stages.add(Pace.Stage.TRAINING_ATOMS);
            } else if (plan instanceof Plan.Factorised && target.isDifferentiable() && !(searched && isExact())) {
                stages.add(Pace.Stage.TRAINING_PRODUCT);
            } else if (plan instanceof Plan.Autoregressive) {
                stages.addAll(searched ? EnumSet.of(Pace.Stage.CONDITIONALS, Pace.Stage.FLOWS)
                        : EnumSet.of(Pace.Stage.TRAINING_CONDITIONALS));
            }
            if (searched && !target.space().isListable()) {
                stages.add(Pace.Stage.CODES);
            }
            if (searched && !(plan instanceof Plan.Joint)) {
                stages.add(Pace.Stage.PRODUCT);
            }
        }
        return stages;
    }

    /** Whether the bound of a product is a finite sum. */
    private boolean isExact() {
        return target instanceof FactorisedExpectation || target.space().isListable();
    }

    /** One search for all: as many codes as the plan that needs most. */
    private Findings findings(List<Plan> plans, Seed seed) {
        int codes = 1;
        int units = effort.fitting().components();
        for (Plan plan : plans) {
            if (plan instanceof Plan.Joint joint) {
                codes = Math.max(codes, atoms(Math.max(0, joint.components())));
            } else if (plan instanceof Plan.Factorised product) {
                units = atoms(product.components());
            } else if (plan instanceof Plan.Autoregressive) {
                codes = Math.max(codes, effort.learning().atoms());
            }
        }
        return new Findings(target, support, codes, units, effort, seed.fold("search"));
    }

    private int atoms(int asked) {
        return asked == 0 ? effort.fitting().components() : asked;
    }

    private Fit found(Plan plan, Findings findings, Pace pace, Seed seed) throws IOException {
        if (plan instanceof Plan.Joint joint) {
            return joint(joint, findings, pace, seed);
        }
        if (plan instanceof Plan.Factorised product) {
            return factorised(product, findings, pace, seed);
        }
        if (plan instanceof Plan.Autoregressive conditionals) {
            return conditionals.refine() ? autoregressive(conditionals, findings, pace, seed)
                    : conditionalsByVif(conditionals, pace, seed);
        }
        return exact(findings);
    }

    private Fit found(Family family, CodeDistribution q, int components, String algorithm, long steps, Seed seed) {
        Estimate bound = Bound.of(target, q, effort.fitting().boundSamples(), seed.fold("bound"));
        return new Fit(family, q, bound, components, algorithm, "", steps, 0, List.of());
    }

    /** A distribution that training ended with, and how many steps it took. */
    private record Trained(FlowMixture distribution, long steps) {}

    private <S> Trained run(Algorithm<S, FlowMixture> algorithm, Family family, RunListener pace, Seed seed)
            throws IOException {
        try (algorithm) {
            Run<S> run = new Run<>(algorithm, seed);
            run.listener(pace);
            watch.of(family).forEach(run::listener);
            if (checkpoints.isPresent()) {
                run.checkpoints(checkpoints.get().resolve(family.name().toLowerCase(Locale.ROOT)),
                        effort.fitting().saveEvery());
            }
            S end = run.execute(checkpoints.isPresent());
            if (!algorithm.isFinished(end)) {
                throw new RunStoppedException(algorithm.info(end).step());
            }
            return new Trained(algorithm.result(end), algorithm.info(end).step());
        }
    }

    /** Atoms and products by themselves need no flows any more. */
    private Fit value(Family family, Trained trained, String algorithm, Seed seed) {
        try (FlowMixture flows = trained.distribution()) {
            // boosting may have stopped early, at a weight of 0
            int used = (int) Arrays.stream(flows.weights()).limit(flows.mixture().components()).filter(w -> w > 0)
                    .count();
            return found(family, flows.isAtoms() ? flows.atoms() : flows.product(), used, algorithm, trained.steps(),
                    seed);
        }
    }

    private static int steps(long asked, int standard) {
        return asked == 0 ? standard : Math.toIntExact(asked);
    }

    private Fit exact(Findings findings) {
        Check.that(findings.areListed(), target.space() + " has more than " + CodeSpace.LISTABLE
                + " codes, too many to list; fit a family instead");
        FoundCodes all = findings.codes();
        Estimate bound = Estimate.exact(LogSpace.sumExp(all.logJoint()));
        return new Fit(Family.EXACT, all.atoms(), bound, all.codes().length, "exact listing", "", 0, 0,
                List.of());
    }

    // ---- atoms

    private Fit joint(Plan.Joint plan, Findings findings, Pace pace, Seed seed) throws IOException {
        boolean grows = plan.components() == Plan.Joint.GROWING;
        int b = atoms(Math.max(0, plan.components()));
        if (plan.training() == Plan.Training.BVI) {
            return value(Family.JOINT, run(new Bvi(target, Deltas.enumerating(target.space(), b)), Family.JOINT,
                    pace.training(Pace.Stage.TRAINING_ATOMS, b), seed), "BVI", seed);
        }
        if (plan.refine() && findings.areListed() && !grows) {
            Atoms best = findings.codes().atoms(b, plan.weighting());
            return found(Family.JOINT, best, b, "best atoms of all codes", 0, seed);
        }
        Check.that(plan.refine() && !grows || target.isDifferentiable() || plan.training() == Plan.Training.VIF,
                "target ", target, " has no gradient; fit it with a given number of components and refined, by VIF, or"
                + " with fixed deltas (BVI)");
        Optional<Fit> trained = target.isDifferentiable() || !plan.refine()
                ? Optional.of(value(Family.JOINT, trainAtoms(plan, b, pace, seed), plan.training().name(), seed))
                : Optional.empty();
        if (!plan.refine()) {
            return trained.orElseThrow();
        }
        int[][] start = trained.map(t -> ((Atoms) t.distribution()).codes()).orElse(new int[0][]);
        int kept = grows ? start.length : b;
        return better(trained, found(Family.JOINT, findings.codes(start).atoms(kept, plan.weighting()), kept,
                trained.map(t -> t.algorithm() + ", then ").orElse("") + "atom search",
                trained.map(Fit::steps).orElse(0L), seed));
    }

    private Trained trainAtoms(Plan.Joint plan, int b, Pace pace, Seed seed) throws IOException {
        Mixture mixture = Mixture.atoms(target.space(), b, plan.weighting());
        Effort.Fitting own = effort.fitting();
        if (plan.training() == Plan.Training.VIF) {
            int steps = plan.refine() ? own.vifSteps() : steps(plan.steps(), own.vifAloneSteps());
            return run(new GradientTraining<>(
                    new AnnealedVif(target, mixture, AnnealedSettings.forMixture(mixture, steps))),
                    Family.JOINT, pace.training(Pace.Stage.TRAINING_ATOMS, steps), seed);
        }
        int each = plan.refine() ? own.bvifSteps() : own.bvifAloneSteps();
        BvifSettings settings = BvifSettings.standard(plan.refine() ? BvifSettings.Weights.SOLVED
                : BvifSettings.Weights.TRAINED).withSteps(each);
        if (plan.components() == Plan.Joint.GROWING) {
            settings = settings.withGrowth(new BvifSettings.Growth(own.leastGain(), 0, own.patience()));
        }
        return run(new GradientTraining<>(new Bvif(target, Mixture.atoms(target.space(), b), settings)), Family.JOINT,
                pace.training(Pace.Stage.TRAINING_ATOMS, (long) b * each), seed);
    }

    private static Fit better(Optional<Fit> trained, Fit searched) {
        return trained.isPresent() && trained.get().bound().value() >= searched.bound().value()
                ? trained.get() : searched;
    }

    // ---- products

    private Fit factorised(Plan.Factorised plan, Findings findings, Pace pace, Seed seed) throws IOException {
        int b = atoms(plan.components());
        Optional<Fit> trained = Optional.empty();
        if (target.isDifferentiable() && !(plan.refine() && isExact())) {
            Mixture mixture = Mixture.factorised(target.space(), b);
            Effort.Fitting own = effort.fitting();
            int steps = plan.refine() ? own.vifSteps() : steps(plan.steps(), own.productAloneSteps());
            trained = Optional.of(value(Family.FACTORISED, run(new GradientTraining<>(new Vif(target, mixture,
                    VifSettings.forMixture(mixture, steps))), Family.FACTORISED,
                    pace.training(Pace.Stage.TRAINING_PRODUCT, steps), seed), "VIF", seed));
            if (!plan.refine()) {
                return trained.get();
            }
        }
        Product[] start = trained.stream().map(t -> (Product) t.distribution()).toArray(Product[]::new);
        return better(trained, found(Family.FACTORISED, findings.product(start).grid(), b,
                trained.map(t -> t.algorithm() + ", then ").orElse("") + "coordinate ascent",
                trained.map(Fit::steps).orElse(0L), seed));
    }

    // ---- conditionals

    private Fit autoregressive(Plan.Autoregressive plan, Findings findings, Pace pace, Seed seed) throws IOException {
        Effort.Learning own = effort.learning();
        int b = flows(plan);
        Examples examples = findings.examples();
        long steps = plan.steps() == 0 ? own.steps() : plan.steps();
        Trained learned = run(new GradientTraining<>(new Learner(target, support, b,
                flows -> Made.with(target.space(), flows).hidden(own.hidden()).directConnections(), examples, steps)),
                Family.AUTOREGRESSIVE, pace.training(Pace.Stage.CONDITIONALS, steps), seed);
        Fit found = found(Family.AUTOREGRESSIVE, learned.distribution(), b, "learned from " + examples,
                learned.steps(), seed);
        if (support.keepsClear() || found.bound().value() > Double.NEGATIVE_INFINITY) {
            return found;
        }
        found.close();
        return instead(findings.best(), learned.steps(), seed);
    }

    private int flows(Plan.Autoregressive plan) {
        return plan.components() == 0 ? effort.learning().flows(target.space().width()) : plan.components();
    }

    private Fit conditionalsByVif(Plan.Autoregressive plan, Pace pace, Seed seed) throws IOException {
        Mixture mixture = Mixture.autoregressive(target.space(), flows(plan), support.order());
        int steps = steps(plan.steps(), effort.fitting().conditionalsAloneSteps());
        Trained trained = run(new GradientTraining<>(new Vif(target, mixture, VifSettings.forMixture(mixture, steps))),
                Family.AUTOREGRESSIVE, pace.training(Pace.Stage.TRAINING_CONDITIONALS, steps), seed);
        Fit found = found(Family.AUTOREGRESSIVE, trained.distribution(), mixture.components(), "VIF", trained.steps(),
                seed);
        return found.bound().value() > Double.NEGATIVE_INFINITY ? found
                : found.remarked("Gradients alone left mass on impossible codes; more steps may help.");
    }

    /** What the searches found, where impossible codes could not be learned: it gives them nothing. */
    private Fit instead(CodeDistribution best, long steps, Seed seed) {
        Fit found = best instanceof Atoms atoms
                ? found(Family.JOINT, atoms, atoms.size(), "atom search", steps, seed)
                : found(Family.FACTORISED, best, effort.fitting().components(), "coordinate ascent", steps, seed);
        return found.remarked("Conditionals could not be learned without giving mass to impossible codes, so this is "
                + "the best of " + (best instanceof Atoms ? "the most probable codes." : "all products."));
    }

    /** Judges a fit of this target: marginals, importance weights and how far to trust it, by the truth if known. */
    public Judgement judge(Fit fit, Optional<Judgement.Truth> truth, Seed seed) {
        return Judgement.of(target, fit, truth, effort.fitting(), seed);
    }
}
