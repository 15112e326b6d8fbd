package io.mdnf.evaluation;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Loopy belief propagation, what others would use: exact on trees, else without a bound and sometimes without an end.
 *
 * <p>Where messages of factors to variables come to rest depends on the order in which they are sent: on problem DBN_11
 * of UAI 2014 one order is off by 0.8 in every marginal and another one by 0.1. So several schedules have a go, each
 * with a share of the time: the message that would move most first, all in turn, and all in random orders with more
 * and more damping. Of those at rest the one with the largest value counts, else the last one. The value is Bethe's
 *
 * <pre>{@code log Z = sum_f log Z_f + sum_v log Z_v - sum_fv log Z_fv, }</pre>
 *
 * <p>the sums of what a factor, a variable and a pair of both believe, before they are normalised.
 *
 * @param logSum Bethe's estimate of the log of the sum over all codes
 * @param marginals believed of each variable, [D][K_d]
 * @param converged whether messages came to rest
 */
public record LoopyPropagation(double logSum, double[][] marginals, boolean converged) {

    /** Of the message before: 0 is what settles fastest where it settles. */
    private static final double[] DAMPING = {0, 0, 0.1, 0.3, 0.5, 0.7};
    /** What no message moves by any more: rounding is a thousandth of it. */
    private static final double REST = 1e-9;
    /** A guard: time is up before, or they rest. */
    private static final int MOST_SWEEPS = 10_000;

    /** Propagates for at most so many seconds, one sweep at least. */
    public static LoopyPropagation of(CodeSpace space, List<Factor> factors, double seconds) {
        long start = System.nanoTime();
        LoopyPropagation best = null;
        for (int schedule = 0; schedule < DAMPING.length; schedule++) {
            double left = seconds - (System.nanoTime() - start) / 1e9;
            if (best != null && left <= 0) {
                break;
            }
            LoopyPropagation found = new Schedule(new LoopyMessages(space, factors, DAMPING[schedule]), schedule)
                    .run(left / (DAMPING.length - schedule));
            boolean better = best == null || found.converged && !best.converged
                    || found.converged == best.converged && (!found.converged || found.logSum > best.logSum);
            best = better ? found : best;
        }
        return best;
    }

    /** Who sends when: 0 who would move most, 1 all in turn, later ones in random orders. */
    private record Schedule(LoopyMessages messages, int number) {

        LoopyPropagation run(double seconds) {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            int sweeps = 0;
            boolean rests = false;
            List<Integer> order = new ArrayList<>(IntStream.range(0, messages.count()).boxed().toList());
            Random random = new Random(number);
            TreeSet<Integer> waiting = new TreeSet<>(
                    Comparator.<Integer>comparingDouble(e -> -messages.change(e)).thenComparing(e -> e));
            if (number == 0) {
                order.forEach(messages::prepare);
                waiting.addAll(order);
            }
            while (!rests && sweeps < MOST_SWEEPS && (sweeps == 0 || System.nanoTime() < end)) {
                if (number > 1) {
                    Collections.shuffle(order, random);
                }
                rests = number == 0 ? first(waiting, end) : all(order);
                sweeps++;
            }
            return new LoopyPropagation(messages.logSum(), messages.marginals(), rests);
        }

        private boolean all(List<Integer> order) {
            double most = 0;
            for (int each : order) {
                messages.prepare(each);
                most = Math.max(most, messages.change(each));
                messages.send(each);
            }
            return most <= REST;
        }

        /** As many as there are, the largest change first. */
        private boolean first(TreeSet<Integer> waiting, long end) {
            for (int i = 0; i < messages.count(); i++) {
                if (messages.change(waiting.first()) <= REST) {
                    return true;
                }
                if ((i & 1023) == 1023 && System.nanoTime() >= end) {
                    return false;
                }
                int sent = waiting.pollFirst();
                messages.send(sent);
                waiting.add(sent);
                for (int each : messages.listening(sent)) {
                    // out before its place in the order changes
                    waiting.remove(each);
                    messages.prepare(each);
                    waiting.add(each);
                }
            }
            return waiting.isEmpty();
        }
    }
}
