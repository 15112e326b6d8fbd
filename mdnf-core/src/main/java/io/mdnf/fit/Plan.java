package io.mdnf.fit;

import io.mdnf.elimination.Memory;
import io.mdnf.mixture.Weighting;
import io.mdnf.search.Effort;
import io.mdnf.space.Check;
import io.mdnf.target.TargetModel;
import java.util.List;

/**
 * What a {@link Fitter} is asked for. The defaults need no tuning; 0 stands for the default of a number.
 *
 * <pre>{@code
 * Plan.auto(target);                           // exact where that is feasible, else by bounded messages
 * Plan.joint().withComponents(40);             // the best 40 equally weighted atoms
 * }</pre>
 */
public sealed interface Plan {

    /** Returns whether the posterior itself is found on the way, so that nobody need look for the truth beside. */
    default boolean findsTruth(TargetModel target) {
        return false;
    }

    /** How a joint mixture is trained. */
    enum Training {
        /** All flows together. */
        VIF,
        /** One flow and its weight at a time. */
        BVIF,
        /** Weights only, over fixed deltas. */
        BVI
    }

    /**
     * The posterior itself: all codes where they can be listed, else conditionals by eliminating one variable after the
     * other, where the target has factors.
     *
     * @param memory bytes that tables may take
     */
    record Exact(long memory) implements Plan {

        /** With most of the memory that Java has left. */
        public Exact() {
            this(Memory.available());
        }

        @Override
        public boolean findsTruth(TargetModel target) {
            return true;
        }

        /** Returns whether a target is small enough. */
        public boolean isFeasible(TargetModel target) {
            return target.space().isListable() || ExactFit.isFeasible(target, memory);
        }
    }

    /**
     * B weighted atoms.
     *
     * @param components B, or {@link #GROWING} for as many as gain, by boosting
     * @param weighting equal or free; boosting makes weights free whatever is said
     * @param training how
     * @param refine whether the search that closes the gap to the best atoms follows; if that lists all codes, there is
     *     nothing to train
     * @param steps of VIF where no search follows
     */
    record Joint(int components, Weighting weighting, Training training, boolean refine, long steps) implements Plan {

        /** In the place of a number of components: boosting adds them while each gains enough. */
        public static final int GROWING = -1;

        /** Checks the numbers. */
        public Joint {
            check(components == GROWING ? 0 : components, steps);
            Check.that(components != GROWING || training == Training.BVIF, "components = GROWING: only BVIF adds"
                    + " components one by one, not " + training);
            Check.that(weighting != Weighting.UNLIMITED, "weighting = ", weighting,
                    ": atoms are counted; equal or free");
            weighting = training == Training.VIF ? weighting : Weighting.FREE;
        }

        /** Returns the same with B components. */
        public Joint withComponents(int count) {
            return new Joint(count, weighting, training, refine, steps);
        }

        /** Returns the same trained otherwise. */
        public Joint by(Training how, Weighting weights) {
            return new Joint(components, weights, how, refine, steps);
        }

        /** Returns the same without the search that follows training: the published method by itself. */
        public Joint unrefined() {
            return new Joint(components, weighting, training, false, steps);
        }

        /** Returns the same with another number of steps of VIF alone. */
        public Joint withSteps(long count) {
            return new Joint(components, weighting, training, refine, count);
        }
    }

    /**
     * A product of distributions that are multiples of 1 / B.
     *
     * @param components B
     * @param refine whether coordinate ascent follows training; where that is exact, there is nothing to train
     * @param steps of VIF where no search follows
     */
    record Factorised(int components, boolean refine, long steps) implements Plan {

        /** Checks the numbers. */
        public Factorised {
            check(components, steps);
        }

        /** Returns the same with B components. */
        public Factorised withComponents(int count) {
            return new Factorised(count, refine, steps);
        }

        /** Returns the same by so many steps of VIF alone, 0 for the default. */
        public Factorised unrefined(long count) {
            return new Factorised(components, false, count);
        }
    }

    /**
     * Conditionals q_d(x_d | x_&lt;d). Of a target with factors, by messages of elimination and a network for what they
     * lost where tables had to be bounded, see {@link Answers}; of one without, learned from chains alone.
     *
     * @param components B; 0 for flows without number, a softmax
     * @param refine whether messages and chains are used; else gradients of the ELBO alone, by VIF
     * @param steps of learning, if there is anything to learn, or of VIF
     * @param budget of messages
     */
    record Autoregressive(int components, boolean refine, long steps, Budget budget) implements Plan {

        /** Checks the numbers. */
        public Autoregressive {
            check(components, steps);
        }

        @Override
        public boolean findsTruth(TargetModel target) {
            return refine && !target.factors().isEmpty()
                    && Answers.isExact(target.reduction(), budget, Effort.standard().messages());
        }

        /** Returns the same with B flows. */
        public Autoregressive withComponents(int count) {
            return new Autoregressive(count, refine, steps, budget);
        }

        /** Returns the same by gradients alone. */
        public Autoregressive unrefined() {
            return new Autoregressive(components, false, steps, budget);
        }

        /** Returns the same with another number of steps. */
        public Autoregressive withSteps(long count) {
            return new Autoregressive(components, refine, count, budget);
        }

        /** Returns the same within another budget. */
        public Autoregressive within(Budget other) {
            return new Autoregressive(components, refine, steps, other);
        }
    }

    /**
     * Several plans, whose searches are shared; the fit with the best bound is kept.
     *
     * @param plans in order, at least one, none of this kind
     */
    record Best(List<Plan> plans) implements Plan {

        /** Checks and copies. */
        public Best {
            plans = List.copyOf(plans);
            Check.that(!plans.isEmpty() && plans.stream().noneMatch(Best.class::isInstance), "plans = " + plans
                    + ": at least one, and none that is a best of others");
        }

        @Override
        public boolean findsTruth(TargetModel target) {
            return plans.stream().anyMatch(plan -> plan.findsTruth(target));
        }
    }

    /** Returns equally weighted atoms, by VIF and a search. */
    static Joint joint() {
        return new Joint(0, Weighting.EQUAL, Training.VIF, true, 0);
    }

    /** Returns a product. */
    static Factorised factorised() {
        return new Factorised(0, true, 0);
    }

    /** Returns conditionals. */
    static Autoregressive autoregressive() {
        return new Autoregressive(0, true, 0, Budget.usual());
    }

    /** Returns what is usual for a target: {@link #auto(TargetModel, Budget)} within the usual budget. */
    static Plan auto(TargetModel target) {
        return auto(target, Budget.usual());
    }

    /**
     * Returns exact where memory allows it; else bounded messages within the budget where the target has factors; else
     * the best of freely weighted atoms, a product and conditionals.
     */
    static Plan auto(TargetModel target, Budget budget) {
        Exact exact = new Exact(budget.memory());
        return exact.isFeasible(target) ? exact
                : !target.factors().isEmpty() ? autoregressive().within(budget)
                : new Best(List.of(joint().by(Training.VIF, Weighting.FREE), factorised(), autoregressive()));
    }

    private static void check(int components, long steps) {
        Check.that(components >= 0 && steps >= 0, "components = " + components + ", steps = " + steps
                + ": at least 1, or 0 for the default");
    }
}
