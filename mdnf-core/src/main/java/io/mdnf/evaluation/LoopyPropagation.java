package io.mdnf.evaluation;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Loopy belief propagation, what others would use: exact on trees, else without a bound and sometimes without an end.
 *
 * <p>Messages of factors to variables, damped by a half, until none moves or time is up; the value is Bethe's
 *
 * <pre>{@code log Z = sum_f log Z_f + sum_v log Z_v - sum_fv log Z_fv, }</pre>
 *
 * <p>the sums of what a factor, a variable and a pair of both believe, before they are normalised.
 *
 * @param logSum Bethe's estimate of the log of the sum over all codes
 * @param marginals believed of each variable, [D][K_d]
 * @param sweeps over all factors
 * @param converged whether messages came to rest
 */
public record LoopyPropagation(double logSum, double[][] marginals, int sweeps, boolean converged) {

    /** As is usual: less and messages take turns, more and they creep. */
    private static final double DAMPING = 0.5;
    /** What no message moves by any more: rounding is a thousandth of it. */
    private static final double REST = 1e-9;
    /** A guard: time is up before, or they rest. */
    private static final int MOST_SWEEPS = 10_000;

    /** Propagates for at most so many seconds, one sweep at least. */
    public static LoopyPropagation of(CodeSpace space, List<Factor> factors, double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        Messages messages = new Messages(space, factors);
        int sweeps = 0;
        double moved = Double.POSITIVE_INFINITY;
        while (moved > REST && sweeps < MOST_SWEEPS && (sweeps == 0 || System.nanoTime() < end)) {
            moved = messages.sweep();
            sweeps++;
        }
        double[][] marginals = new double[space.variables()][];
        Arrays.setAll(marginals, v -> messages.belief(v, -1));
        return new LoopyPropagation(messages.logSum(), marginals, sweeps, moved <= REST);
    }

    /** A factor as numbers, its largest 1, and its messages to each of its variables. */
    private record Sender(int[] variables, int[] strides, double[] table, double log, double[][] messages) {
    }

    /** Where a variable hears a message: of which factor, at which of its places. */
    private record Heard(int sender, int place) {
    }

    private static final class Messages {
        private final CodeSpace space;
        private final List<Sender> senders = new ArrayList<>();
        private final List<List<Heard>> heard = new ArrayList<>();

        Messages(CodeSpace space, List<Factor> factors) {
            this.space = space;
            IntStream.range(0, space.variables()).forEach(v -> heard.add(new ArrayList<>()));
            for (Factor factor : factors) {
                int[] variables = factor.variables();
                int[] strides = new int[variables.length];
                int stride = 1;
                for (int j = strides.length - 1; j >= 0; j--) {
                    strides[j] = stride;
                    stride *= space.cardinality(variables[j]);
                    heard.get(variables[j]).add(new Heard(senders.size(), j));
                }
                double[] logs = factor.logTable();
                double most = Arrays.stream(logs).max().orElseThrow();
                double log = most == Double.NEGATIVE_INFINITY ? 0 : most;
                double[] table = Arrays.stream(logs).map(l -> Math.exp(l - log)).toArray();
                senders.add(new Sender(variables, strides, table, log,
                        IntStream.of(variables).mapToObj(v -> uniform(space.cardinality(v))).toArray(double[][]::new)));
            }
        }

        private static double[] uniform(int categories) {
            double[] uniform = new double[categories];
            Arrays.fill(uniform, 1.0 / categories);
            return uniform;
        }

        /** What a variable believes without one of its factors, -1 for with all. */
        double[] belief(int variable, int without) {
            double[] logs = new double[space.cardinality(variable)];
            for (Heard each : heard.get(variable)) {
                if (each.sender != without) {
                    double[] message = senders.get(each.sender).messages[each.place];
                    Arrays.setAll(logs, k -> logs[k] + Math.log(message[k]));
                }
            }
            double most = Arrays.stream(logs).max().orElseThrow();
            if (most == Double.NEGATIVE_INFINITY) {
                return uniform(logs.length); // messages contradict each other: nothing is believed
            }
            double sum = Arrays.stream(logs).map(l -> Math.exp(l - most)).sum();
            return Arrays.stream(logs).map(l -> Math.exp(l - most) / sum).toArray();
        }

        private double[][] incoming(int f) {
            return IntStream.of(senders.get(f).variables).mapToObj(v -> belief(v, f)).toArray(double[][]::new);
        }

        /** All messages anew; returns how far the one moved that moved most. */
        double sweep() {
            double most = 0;
            for (int f = 0; f < senders.size(); f++) {
                double[][] incoming = incoming(f);
                for (int j = 0; j < incoming.length; j++) {
                    double[] sums = summed(senders.get(f), incoming, j);
                    double all = Arrays.stream(sums).sum();
                    double[] message = senders.get(f).messages[j];
                    for (int k = 0; k < message.length && all > 0; k++) {
                        double next = DAMPING * message[k] + (1 - DAMPING) * sums[k] / all;
                        // a zero is one at once: half of it would never become one
                        next = sums[k] == 0 ? 0 : next;
                        most = Math.max(most, Math.abs(next - message[k]));
                        message[k] = next;
                    }
                }
            }
            return most;
        }

        /** The table times what comes in from all places but one, summed onto that place's variable. */
        private double[] summed(Sender sender, double[][] incoming, int place) {
            double[] sums = new double[incoming[place].length];
            for (int entry = 0; entry < sender.table.length; entry++) {
                double product = sender.table[entry];
                for (int i = 0; i < incoming.length && product > 0; i++) {
                    product *= i == place ? 1 : incoming[i][entry / sender.strides[i] % incoming[i].length];
                }
                sums[entry / sender.strides[place] % sums.length] += product;
            }
            return sums;
        }

        double logSum() {
            double log = 0;
            for (int f = 0; f < senders.size(); f++) {
                Sender sender = senders.get(f);
                log += sender.log;
                double[][] incoming = incoming(f);
                if (incoming.length == 0) {
                    log += Math.log(sender.table[0]);
                    continue;
                }
                double[] sums = summed(sender, incoming, 0);
                log += Math.log(dot(sums, incoming[0]));
                for (int j = 0; j < incoming.length; j++) {
                    log -= Math.log(dot(sender.messages[j], incoming[j]));
                }
            }
            for (int v = 0; v < space.variables(); v++) {
                double[] logs = new double[space.cardinality(v)];
                for (Heard each : heard.get(v)) {
                    double[] message = senders.get(each.sender).messages[each.place];
                    Arrays.setAll(logs, k -> logs[k] + Math.log(message[k]));
                }
                log += LogSpace.sumExp(logs);
            }
            return log;
        }

        private static double dot(double[] a, double[] b) {
            return IntStream.range(0, a.length).mapToDouble(k -> a[k] * b[k]).sum();
        }
    }
}
