package io.mdnf.fit;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Expanded;
import io.mdnf.distribution.Marginals;
import io.mdnf.elimination.LogTable;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.inference.ConditionalsLearner;
import io.mdnf.inference.FlowReach;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Autoregressive posteriors: of a target with factors, or whose codes can be listed, which is a factor too, by
 * {@link Answers}; of any other by {@link ConditionalsLearner} alone.
 *
 * @param components B; 0 for flows without number
 */
record ConditionalsFit(TargetModel target, int components, Effort effort) {

    static boolean isByMessages(TargetModel target) {
        return !target.factors().isEmpty() || target.space().isListable();
    }

    /** By messages within a budget. */
    Fitter.Found byMessages(Budget budget, Predicate<LogEvidence> goOn, Consumer<Algorithm.Info> learning, Seed seed) {
        TargetModel factors = target.factors().isEmpty()
                ? FactorTarget.table(target.space(), target.logJoint(target.space().all())) : target;
        Answers answers = new Answers(factors, budget).with(effort).closely().whilst(goOn).telling(learning);
        Answer answer = answers.ask(seed);
        if (components > 0) {
            return counted(answer, factors.reduction().codes(), answers.reduced(), seed);
        }
        if (answer.isExact()) {
            return new Fitter.Found(Family.AUTOREGRESSIVE, answer, answer.logEvidence().estimate(), "");
        }
        Estimate elbo = bound(answer.distribution(), seed);
        boolean possible = elbo.value() > Double.NEGATIVE_INFINITY;
        return new Fitter.Found(Family.AUTOREGRESSIVE, answer,
                possible ? elbo : Estimate.exact(answer.logEvidence().lower()),
                possible ? "" : "It draws impossible codes too, so its ELBO is -infinity; the bound is that of its "
                + "weighted samples.");
    }

    private Fitter.Found counted(Answer answer, CodeMap codes, TargetModel reduced, Seed seed) {
        Conditionals q = answer.distribution() instanceof Expanded expanded ? expanded.q()
                : (Conditionals) answer.distribution();
        CodeDistribution flows = Expanded.of(new FlowReach(reduced, components, effort.learning())
                .of(q, answer.isExact(), seed), codes);
        return found(flows, answer.algorithm(), 0, seed).knowing(answer);
    }

    private Estimate bound(CodeDistribution q, Seed seed) {
        return Bound.of(target, q, effort.fitting().boundSamples(), seed.fold("bound"));
    }

    private Fitter.Found found(CodeDistribution q, String algorithm, long steps, Seed seed) {
        Estimate bound = bound(q, seed);
        return new Fitter.Found(Family.AUTOREGRESSIVE, q, bound,
                components == 0 ? OptionalInt.empty() : OptionalInt.of(components), algorithm,
                bound.value() > Double.NEGATIVE_INFINITY ? "" : "It gives mass to impossible codes, so it has no finite"
                + " bound.", steps);
    }

    /**
     * The training of a target without factors, that starts from what a search found.
     *
     * @param order of the variables, [D]
     */
    GradientTraining<Conditionals> learner(CodeDistribution best, long steps, int[] order, Seed seed) {
        Effort.Learning own = effort.learning();
        Marginals marginals = best.marginals(effort.fitting().marginalSamples(), seed.fold("start"));
        CodeSpace space = target.space();
        List<List<LogTable>> tables = IntStream.of(order).mapToObj(d -> List.of(new LogTable(new int[] {d},
                new int[] {space.cardinality(d)}, Arrays.stream(marginals.probabilities()[d])
                        .map(p -> Math.log((1 - own.spread()) * p + own.spread() / space.cardinality(d))).toArray())))
                .toList();
        SortedMap<Integer, int[]> seen = new TreeMap<>();
        for (int t = 1; t < order.length; t++) {
            if (space.cardinality(order[t]) > 1) {
                seen.put(t, Arrays.copyOf(order, t));
            }
        }
        return new GradientTraining<>(new ConditionalsLearner(target, new Conditionals(space, order, tables), 0, seen,
                effort.correction().chains(), steps, new ConditionalsLearner.First(Optional.of(best),
                        own.burnIn(), own.blackBox(), own.evaluationSamples()), effort.correction()));
    }

    /** What was learned, as it is where it draws nothing impossible and flows were not asked for by number. */
    Fitter.Found of(Conditionals learned, long steps, Seed seed) {
        Effort.Learning own = effort.learning();
        int b = components == 0 ? own.flows(target.space().width()) : components;
        FlowReach reach = new FlowReach(target, b, own);
        boolean clear = reach.isClear(learned, seed);
        boolean unlimited = clear && components == 0;
        return (unlimited ? this : new ConditionalsFit(target, b, effort)).found(
                unlimited ? learned : reach.of(learned, clear, seed), "learned from chains", steps, seed);
    }
}
