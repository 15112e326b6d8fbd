package io.mdnf.bn;

import io.mdnf.elimination.Calibration;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.io.Serializable;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * One question, the marginals of some variables, about many cases: exactly by one {@link JunctionTree} where that is
 * feasible, otherwise by {@link Answers} for each different case, some seconds each, all in one order of elimination.
 *
 * <pre>{@code
 * Queries queries = Queries.of(NamedFactors.of(BuiltInNetworks.open("asia")), List.of("lung", "bronc"));
 * int[] xray = {-1, -1, -1, -1, -1, -1, 0, -1};             // what was not observed is -1
 * List<Queries.Answer> answers = queries.answer(List.of(xray), 2);
 * }</pre>
 *
 * <p>A call needs nothing but its cases, and the question can be sent to where they are: it is serialisable, and what
 * it computes once is computed anew there. Answers are the same to the last bit there as here, whichever cases come
 * together. Several threads may ask at once; fits are made one at a time.
 */
public final class Queries implements Serializable {

    private static final long serialVersionUID = 1;
    /** For a case that no junction tree answers: work of about so many seconds, and some memory. */
    private static final Budget BUDGET = new Budget(4, 256L << 20, Double.POSITIVE_INFINITY).asCounted();

    private final NamedFactors model;
    private final int[] targets;
    private final long mostBytes;
    private final long seed;
    /** Made when first needed, wherever this is then. */
    private transient Optional<JunctionTree> tree;
    private transient Queue<Calibration> idle;
    private transient int[] order;
    private transient Map<IntBuffer, Answer> fitted;

    /** How a case was answered. */
    public enum Algorithm {
        /** By exact inference. */
        EXACT,
        /** By a fitted posterior. */
        FITTED,
        /** Not at all. */
        NONE
    }

    /**
     * What is known of a case.
     *
     * @param lower a lower bound of log p(observed); with exact inference log p(observed) itself
     * @param upper an upper bound; infinite if none is known
     * @param probabilities the posterior of the targets, one after the other, [sum of K]; empty if there is none
     * @param standardError the largest of these probabilities; 0 with exact inference
     * @param error why there is none; empty otherwise
     */
    public record Answer(Algorithm algorithm, double lower, double upper, double[] probabilities,
            double standardError, String error) implements Serializable {

        /** No answer, but a reason. */
        public static Answer refused(String why) {
            return new Answer(Algorithm.NONE, Double.NaN, Double.NaN, new double[0], Double.NaN, why);
        }
    }

    private Queries(NamedFactors model, int[] targets, long mostBytes, long seed) {
        this.model = model;
        this.targets = targets;
        this.mostBytes = mostBytes;
        this.seed = seed;
    }

    /** The marginals of some variables, or of all if none is named; IllegalArgumentException if one is unknown. */
    public static Queries of(NamedFactors model, List<String> targets) {
        int[] all = IntStream.range(0, model.variables().size()).toArray();
        return new Queries(model, targets.isEmpty() ? all
                : targets.stream().mapToInt(model::indexOf).distinct().toArray(),
                Memory.available() / 2, 0);
    }

    /** The same within a limit of memory for exact inference, in bytes for each thread; 0 fits every case. */
    public Queries within(long bytes) {
        return new Queries(model, targets, bytes, seed);
    }

    /** The same where fits begin with a seed. */
    public Queries seeded(long number) {
        return new Queries(model, targets, mostBytes, number);
    }

    /** {@return what is asked} */
    public NamedFactors model() {
        return model;
    }

    /** {@return positions of the targets} */
    public int[] targets() {
        return targets.clone();
    }

    /** {@return whether one junction tree answers all cases} */
    public boolean isExact() {
        return tree().isPresent();
    }

    private synchronized Optional<JunctionTree> tree() {
        if (tree == null) {
            try {
                tree = Optional.of(JunctionTree.of(model.space(), model.factors(), mostBytes));
            } catch (TooLargeException e) {
                tree = Optional.empty();
            }
        }
        return tree;
    }

    /**
     * Answers cases, each a state for every variable or {@link JunctionTree#LATENT}; equal cases are answered once, and
     * answers do not depend, to the last bit, on which cases come together. A case that is none gets an error.
     *
     * @param threads how many work at once on exact answers
     */
    public List<Answer> answer(List<int[]> cases, int threads) {
        Map<IntBuffer, Integer> places = new HashMap<>();
        List<int[]> different = new ArrayList<>();
        for (int[] each : cases) {
            if (problem(each).isEmpty() && places.putIfAbsent(CodeSpace.key(each), different.size()) == null) {
                different.add(each);
            }
        }
        Answer[] answers = tree().isPresent() ? exact(different, threads)
                : different.stream().map(this::fitted).toArray(Answer[]::new);
        return cases.stream().map(each -> problem(each).isEmpty() ? answers[places.get(CodeSpace.key(each))]
                : Answer.refused(problem(each))).toList();
    }

    /** Why something is no case; empty if it is one. */
    private String problem(int[] states) {
        if (states.length != model.variables().size()) {
            return "found " + states.length + " states, expected " + model.variables().size() + ", one per variable";
        }
        for (int v = 0; v < states.length; v++) {
            int known = model.states().get(v).size();
            if (states[v] < JunctionTree.LATENT || states[v] >= known) {
                return "variable " + Names.quote(model.variables().get(v)) + " has no state " + states[v]
                        + ", expected 0 to " + (known - 1) + ", or -1 if not observed";
            }
        }
        return "";
    }

    private Answer[] exact(List<int[]> cases, int threads) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, cases.size()).boxed().toList());
        var byMessages = tree().orElseThrow().order();
        order.sort((a, b) -> byMessages.compare(cases.get(a), cases.get(b)));
        Answer[] answers = new Answer[cases.size()];
        IntStream.range(0, threads).parallel().forEach(thread -> {
            Calibration calibration = calibration();
            int end = (int) ((long) (thread + 1) * answers.length / threads);
            for (int i = (int) ((long) thread * answers.length / threads); i < end; i++) {
                answers[order.get(i)] = exact(calibration, cases.get(order.get(i)));
            }
            idle.add(calibration);
        });
        return answers;
    }

    /** One that no other thread uses, until it is idle again. */
    private synchronized Calibration calibration() {
        if (idle == null) {
            idle = new ConcurrentLinkedQueue<>();
        }
        Calibration kept = idle.poll();
        return kept != null ? kept : tree().orElseThrow().calibration(targets);
    }

    private Answer exact(Calibration calibration, int[] observed) {
        double logEvidence = calibration.observe(observed);
        if (logEvidence == Double.NEGATIVE_INFINITY) {
            return impossible();
        }
        double[] probabilities = new double[IntStream.of(targets).map(t -> model.states().get(t).size()).sum()];
        int at = 0;
        for (int target : targets) {
            calibration.marginal(target, probabilities, at);
            at += model.states().get(target).size();
        }
        return new Answer(Algorithm.EXACT, logEvidence, logEvidence, probabilities, 0, "");
    }

    private static Answer impossible() {
        return new Answer(Algorithm.NONE, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, new double[0],
                Double.NaN, "this has probability 0");
    }

    private synchronized Answer fitted(int[] observed) {
        if (fitted == null) {
            fitted = new HashMap<>();
        }
        return fitted.computeIfAbsent(CodeSpace.key(observed), key -> fit(observed));
    }

    private Answer fit(int[] observed) {
        if (order == null) {
            order = EliminationPlan.searched(model.space(), model.factors()).order();
        }
        try {
            return answer(observed, new Answers(model.target(observed), BUDGET).ordered(order)
                    .ask(Seed.of(seed).fold(Arrays.hashCode(observed))));
        } catch (IllegalArgumentException e) {
            return impossible(); // all that is refused of a case
        } catch (IllegalStateException e) {
            return Answer.refused(e.getMessage()); // zeros that no sample avoided
        }
    }

    private Answer answer(int[] observed, io.mdnf.fit.Answer found) {
        int[] latent = IntStream.of(targets).filter(t -> observed[t] == JunctionTree.LATENT).toArray();
        double[] probabilities = IntStream.of(targets).boxed().flatMapToDouble(t -> {
            double[] p = new double[model.states().get(t).size()];
            if (observed[t] == JunctionTree.LATENT) {
                p = found.marginals()[t];
            } else {
                p[observed[t]] = 1;
            }
            return Arrays.stream(p);
        }).toArray();
        found.distribution().close();
        return new Answer(found.isExact() ? Algorithm.EXACT : Algorithm.FITTED, found.logEvidence().lower(),
                found.logEvidence().upper(), probabilities, IntStream.of(latent).mapToObj(t ->
                found.standardErrors()[t]).flatMapToDouble(Arrays::stream).max().orElse(0), "");
    }
}
