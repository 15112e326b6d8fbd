package io.mdnf.fit;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.graph.Threads;
import io.mdnf.inference.AnnealedSettings;
import io.mdnf.inference.AnnealedVif;
import io.mdnf.inference.Bvi;
import io.mdnf.inference.Bvif;
import io.mdnf.inference.BvifSettings;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.FoundProduct;
import io.mdnf.search.Searches;
import io.mdnf.search.Support;
import io.mdnf.space.Check;
import io.mdnf.space.Estimate;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Fits a posterior to a target by a {@link Plan}, with defaults that need no tuning.
 *
 * <ul>
 *   <li>exact: all codes are listed, or all variables eliminated.
 *   <li>joint: gradient training of atoms (VIF, BVIF) or fixed deltas (BVI), then a search for better atoms.
 *   <li>factorised: coordinate ascent from many starts, for a black box after gradient training.
 *   <li>autoregressive: elimination, bounded where it must be and corrected by what chains teach; of a black box, what
 *       chains teach alone; or, unrefined, trained by VIF.
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
         * @param elbo an estimate of what is being trained, the latest; when a plan ends, the best bound so far; NaN
         *     before the first
         */
        default void at(double share, String doing, double elbo) {}

        /**
         * Says what bounded messages know of log p(D), often, and from the thread that fits.
         *
         * @param accepted the share of offers that chains took in the last step of learning; NaN where none did
         */
        default void known(LogEvidence known, double accepted) {}

        /** Returns a watch that says every ten seconds, in a line, how far a fit is: {@code System.err::println}. */
        static Watch lines(Consumer<String> said) {
            return Pace.lines(said, Pace.LINE_EVERY);
        }
    }

    private final TargetModel target;
    private final Support support;
    private final int[] order;
    private final Effort effort;
    private final Optional<Path> checkpoints;
    private final Watch watch;
    private final Optional<Judgement.Truth> truth;

    /**
     * Fits to a target with the standard effort.
     *
     * @param order an order of the variables for autoregressive posteriors that do not find one by themselves, causes
     *     first; empty for left to right
     */
    public Fitter(TargetModel target, int... order) {
        this(target, Support.of(target), order.length == 0 ? IntStream.range(0, target.space().variables()).toArray()
                : order.clone(), Effort.standard(), Optional.empty(), new Watch() {}, Optional.empty());
    }

    private Fitter(TargetModel target, Support support, int[] order, Effort effort, Optional<Path> checkpoints,
            Watch watch, Optional<Judgement.Truth> truth) {
        this.target = target;
        this.support = support;
        target.space().positions(order);
        this.order = order;
        this.effort = effort;
        this.checkpoints = checkpoints;
        this.watch = watch;
        this.truth = truth;
    }

    /** Returns the same with another effort. */
    public Fitter with(Effort other) {
        return new Fitter(target, support, order, other, checkpoints, watch, truth);
    }

    /**
     * Returns the same with gradient training saved, in a folder for each family, and resumed if it was saved there.
     */
    public Fitter saving(Path folder) {
        return new Fitter(target, support, order, effort, Optional.of(folder), watch, truth);
    }

    /** Returns the same watched; unwatched or not, a fit tells its log (INFO) every ten seconds how far it is. */
    public Fitter watched(Watch listeners) {
        return new Fitter(target, support, order, effort, checkpoints, listeners, truth);
    }

    /** Returns the same that judges what it finds by the truth; what {@link Plan#findsTruth} need not be told. */
    public Fitter knowing(Judgement.Truth known) {
        return new Fitter(target, support, order, effort, checkpoints, watch, Optional.of(known));
    }

    /**
     * Fits, and judges the fit; the caller closes it.
     *
     * @throws IOException if a checkpoint cannot be written or read
     * @throws RunStoppedException if a listener wanted training to stop
     */
    public Fit fit(Plan plan, Seed seed) throws IOException {
        List<Plan> plans = plan instanceof Plan.Best best ? best.plans() : List.of(plan);
        Pace pace = Pace.of(target, plans, watch);
        Searches searches = searches(plans, seed).watched(pace::searching);
        long start = System.nanoTime();
        List<Fit.Attempt> attempts = new ArrayList<>();
        Found best = null;
        Optional<Judgement.Truth> known = truth;
        try (Threads threads = Threads.one()) {
            for (Plan each : plans) {
                long begin = System.nanoTime();
                Found found = found(each, searches, pace, seed);
                attempts.add(new Fit.Attempt(found.family(), found.bound(), found.steps(), seconds(begin)));
                known = known.or(found::truth);
                boolean better = best == null || found.bound().value() > best.bound().value();
                if (best != null) {
                    (better ? best : found).q().close();
                }
                best = better ? found : best;
                pace.reached(best.bound().value());
            }
            double time = seconds(start);
            Judgement judgement = Judgement.of(target, best, searches.logMass(),
                    known.isPresent() ? known : listed(searches), effort.fitting(), seed);
            return new Fit(best.family(), best.q(), best.bound(), best.components(), best.algorithm(), judgement,
                    best.remark(), best.steps(), time, List.copyOf(attempts), best.answer());
        } catch (IOException | RuntimeException e) {
            if (best != null) {
                best.q().close();
            }
            throw e;
        }
    }

    /** What a plan came to: a fit before it is judged, and the truth if it was found on the way. */
    record Found(Family family, CodeDistribution q, Estimate bound, OptionalInt components, String algorithm,
            String remark, long steps, Optional<Answer> answer, Optional<Judgement.Truth> truth) {
        Found(Family family, CodeDistribution q, Estimate bound, OptionalInt components, String algorithm,
                String remark, long steps) {
            this(family, q, bound, components, algorithm, remark, steps, Optional.empty(), Optional.empty());
        }

        /** By messages. */
        Found(Family family, Answer answer, Estimate bound, String remark) {
            this(family, answer.distribution(), bound, OptionalInt.empty(), answer.algorithm(), remark, 0,
                    Optional.of(answer), Judgement.Truth.of(answer));
        }

        /** With what an answer knows that it was made of. */
        Found knowing(Answer made) {
            return new Found(family, q, bound, components, algorithm, remark, steps, answer, Judgement.Truth.of(made));
        }

        private Found remarked(String why) {
            return new Found(family, q, bound, components, algorithm, why, steps, answer, truth);
        }
    }

    /** The truth by a finite sum, where all codes are listed. */
    private Optional<Judgement.Truth> listed(Searches searches) {
        return searches.areListed() ? exact(searches).truth() : Optional.empty();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Whether the bound of a product is a finite sum. */
    static boolean isSummed(TargetModel target) {
        return target instanceof FactorisedExpectation || target.space().isListable();
    }

    /** One search for all: as many codes as the plan that needs most. */
    private Searches searches(List<Plan> plans, Seed seed) {
        int codes = 1;
        int units = effort.fitting().components();
        for (Plan plan : plans) {
            if (plan instanceof Plan.Joint joint) {
                codes = Math.max(codes, atoms(Math.max(0, joint.components())));
            } else if (plan instanceof Plan.Factorised product) {
                units = atoms(product.components());
            } else if (plan instanceof Plan.Autoregressive && !ConditionalsFit.isByMessages(target)) {
                codes = Math.max(codes, effort.learning().atoms());
            }
        }
        return new Searches(target, support, codes, units, effort, seed.fold("search"));
    }

    private int atoms(int asked) {
        return asked == 0 ? effort.fitting().components() : asked;
    }

    private Found found(Plan plan, Searches searches, Pace pace, Seed seed) throws IOException {
        if (plan instanceof Plan.Joint joint) {
            return joint(joint, searches, pace, seed);
        }
        if (plan instanceof Plan.Factorised product) {
            return factorised(product, searches, pace, seed);
        }
        if (plan instanceof Plan.Autoregressive conditionals) {
            return conditionals.refine() ? autoregressive(conditionals, searches, pace, seed)
                    : conditionalsByVif(conditionals, pace, seed);
        }
        return searches.areListed() ? exact(searches) : ExactFit.of(target, ((Plan.Exact) plan).memory());
    }

    /** With its bound; B = 0 stands for no mixture. */
    private Found found(Family family, CodeDistribution q, int b, String algorithm, long steps, Seed seed) {
        Estimate bound = Bound.of(target, q, effort.fitting().boundSamples(), seed.fold("bound"));
        OptionalInt components = b == 0 ? OptionalInt.empty() : OptionalInt.of(b);
        return new Found(family, q, bound, components, algorithm, bound.value() > Double.NEGATIVE_INFINITY ? ""
                : "It gives mass to impossible codes, so it has no finite bound.", steps);
    }

    /** A distribution that training ended with, and how many steps it took. */
    private record Trained<R>(R distribution, long steps) {}

    private <S, R> Trained<R> run(Algorithm<S, R> algorithm, Family family, RunListener pace, Seed seed)
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
            return new Trained<>(algorithm.result(end), algorithm.info(end).step());
        }
    }

    /** Atoms and products by themselves need no flows any more. */
    private Found value(Family family, Trained<FlowMixture> trained, String algorithm, Seed seed) {
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

    private Found exact(Searches searches) {
        Atoms all = searches.codes().atoms();
        double logEvidence = searches.logMass();
        return new Found(Family.EXACT, all, Estimate.exact(logEvidence), OptionalInt.empty(), "exact listing", "", 0,
                Optional.empty(), Optional.of(new Judgement.Truth(logEvidence,
                        all.marginals(1, Seed.of(0)).probabilities())));
    }

    // ---- atoms

    private Found joint(Plan.Joint plan, Searches searches, Pace pace, Seed seed) throws IOException {
        boolean grows = plan.components() == Plan.Joint.GROWING;
        int b = atoms(Math.max(0, plan.components()));
        if (plan.training() == Plan.Training.BVI) {
            return fixedDeltas(b, pace, seed);
        }
        if (plan.refine() && searches.areListed() && !grows) {
            Atoms best = searches.codes().atoms(b, plan.weighting());
            return found(Family.JOINT, best, b, "best atoms of all codes", 0, seed);
        }
        Check.that(plan.refine() && !grows || target.isDifferentiable() || plan.training() == Plan.Training.VIF,
                "target ", target, " has no gradient; fit it with a given number of components and refined, by VIF, or"
                + " with fixed deltas (BVI)");
        Optional<Found> trained = target.isDifferentiable() || !plan.refine()
                ? Optional.of(value(Family.JOINT, trainAtoms(plan, b, pace, seed), plan.training().name(), seed))
                : Optional.empty();
        if (!plan.refine()) {
            return trained.orElseThrow();
        }
        int[][] start = trained.map(t -> ((Atoms) t.q()).codes()).orElse(new int[0][]);
        int kept = grows ? start.length : b;
        return better(trained, found(Family.JOINT, searches.codes(start).atoms(kept, plan.weighting()), kept,
                trained.map(t -> t.algorithm() + ", then ").orElse("") + "atom search",
                trained.map(Found::steps).orElse(0L), seed));
    }

    /** Weighs the first codes, or, where the factors know that none of them is possible, codes drawn along them. */
    private Found fixedDeltas(int b, Pace pace, Seed seed) throws IOException {
        Bvi first = new Bvi(target, Deltas.enumerating(target.space(), b));
        boolean drawn = support.isKnown() && !first.isPossible();
        Bvi bvi = !drawn ? first : new Bvi(target,
                Deltas.given(target.space(), support.draw(b, seed.fold("deltas"))));
        Found found = value(Family.JOINT, run(bvi, Family.JOINT, pace.training(Pace.Stage.TRAINING_ATOMS, b), seed),
                "BVI", seed);
        return drawn && bvi.isPossible() ? found.remarked("None of the first " + b
                + " codes is possible, so BVI weighs codes drawn along the factors in their place.") : found;
    }

    private Trained<FlowMixture> trainAtoms(Plan.Joint plan, int b, Pace pace, Seed seed) throws IOException {
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

    private static Found better(Optional<Found> trained, Found searched) {
        return trained.isPresent() && trained.get().bound().value() >= searched.bound().value()
                ? trained.get() : searched;
    }

    // ---- products

    private Found factorised(Plan.Factorised plan, Searches searches, Pace pace, Seed seed) throws IOException {
        int b = atoms(plan.components());
        Optional<Found> trained = Optional.empty();
        if (target.isDifferentiable() && !(plan.refine() && isSummed(target))) {
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
        Product[] start = trained.stream().map(t -> (Product) t.q()).toArray(Product[]::new);
        FoundProduct found = searches.product(start);
        return better(trained, new Found(Family.FACTORISED, found.grid(), found.gridBound(), OptionalInt.of(b),
                trained.map(t -> t.algorithm() + ", then ").orElse("") + "coordinate ascent", "",
                trained.map(Found::steps).orElse(0L)));
    }

    // ---- conditionals

    private Found autoregressive(Plan.Autoregressive plan, Searches searches, Pace pace, Seed seed) throws IOException {
        ConditionalsFit fit = new ConditionalsFit(target, plan.components(), plan.steps() == 0 ? effort
                : effort.withSteps(plan.steps()));
        if (ConditionalsFit.isByMessages(target)) {
            List<RunListener> listeners = watch.of(Family.AUTOREGRESSIVE);
            pace.messages(Double.NaN, plan.budget().seconds());
            double[] accepted = {Double.NaN};
            return fit.byMessages(plan.budget(), known -> {
                pace.messages(known.lower(), plan.budget().seconds());
                watch.known(known, accepted[0]);
                return listeners.stream().noneMatch(RunListener::wantsStop);
            }, step -> accepted[0] = step.accepted(), seed);
        }
        CodeDistribution best = searches.best();
        long steps = fit.effort().learning().steps();
        Trained<Conditionals> learned = run(fit.learner(best, steps, order, seed), Family.AUTOREGRESSIVE,
                pace.training(Pace.Stage.CONDITIONALS, steps), seed);
        Found found = fit.of(learned.distribution(), learned.steps(), seed);
        return found.bound().value() > Double.NEGATIVE_INFINITY ? found : instead(best, learned.steps(), seed);
    }

    private Found conditionalsByVif(Plan.Autoregressive plan, Pace pace, Seed seed) throws IOException {
        int b = plan.components() == 0 ? effort.learning().flows(target.space().width()) : plan.components();
        Mixture mixture = Mixture.autoregressive(target.space(), b, order);
        int steps = steps(plan.steps(), effort.fitting().conditionalsAloneSteps());
        Trained<FlowMixture> trained = run(new GradientTraining<>(new Vif(target, mixture,
                VifSettings.forMixture(mixture, steps))), Family.AUTOREGRESSIVE,
                pace.training(Pace.Stage.TRAINING_CONDITIONALS, steps), seed);
        Found found = found(Family.AUTOREGRESSIVE, trained.distribution(), mixture.components(), "VIF", trained.steps(),
                seed);
        return found.bound().value() > Double.NEGATIVE_INFINITY ? found
                : found.remarked("Gradients alone left mass on impossible codes; more steps may help.");
    }

    /** What the searches found, where impossible codes could not be learned: it gives them nothing. */
    private Found instead(CodeDistribution best, long steps, Seed seed) {
        Found found = best instanceof Atoms atoms
                ? found(Family.JOINT, atoms, atoms.size(), "atom search", steps, seed)
                : found(Family.FACTORISED, best, 0, "coordinate ascent", steps, seed);
        return found.remarked("Conditionals could not be learned without giving mass to "
                + "impossible codes, so this is the best of "
                + (best instanceof Atoms ? "the most probable codes." : "all products."));
    }
}
