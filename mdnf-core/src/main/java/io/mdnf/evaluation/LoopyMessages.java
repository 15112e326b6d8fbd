package io.mdnf.evaluation;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The messages of factors to their variables in belief propagation, and what each would be by now: prepared, then sent.
 *
 * <p>They are damped in logarithms; a zero is one at once.
 */
final class LoopyMessages {

    private final CodeSpace space;
    private final double damping;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<List<Integer>> heard = new ArrayList<>();

    /** A factor as numbers, its largest 1, and where its messages stand. */
    private record Sender(int[] variables, int[] strides, double[] table, double log, int[] messages) {
    }

    /** A message to the variable at a place of a sender. */
    private static final class Message {
        private final int sender;
        private final int place;
        private double[] sent;
        private double[] next;
        private double change;

        Message(int sender, int place, int categories) {
            this.sender = sender;
            this.place = place;
            this.sent = new double[categories];
            Arrays.fill(sent, 1.0 / categories);
            this.next = sent;
        }
    }

    LoopyMessages(CodeSpace space, List<Factor> factors, double damping) {
        this.space = space;
        this.damping = damping;
        IntStream.range(0, space.variables()).forEach(v -> heard.add(new ArrayList<>()));
        for (Factor factor : factors) {
            int[] variables = factor.variables();
            int[] strides = new int[variables.length];
            int[] own = new int[variables.length];
            int stride = 1;
            for (int j = strides.length - 1; j >= 0; j--) {
                strides[j] = stride;
                stride *= space.cardinality(variables[j]);
                own[j] = messages.size();
                heard.get(variables[j]).add(messages.size());
                messages.add(new Message(senders.size(), j, space.cardinality(variables[j])));
            }
            double[] logs = factor.logTable();
            double most = Arrays.stream(logs).max().orElseThrow();
            double log = most == Double.NEGATIVE_INFINITY ? 0 : most;
            double[] table = Arrays.stream(logs).map(l -> Math.exp(l - log)).toArray();
            senders.add(new Sender(variables, strides, table, log, own));
        }
    }

    int count() {
        return messages.size();
    }

    /** By how much the message, as prepared, differs from what was sent. */
    double change(int message) {
        return messages.get(message).change;
    }

    /** The messages that what was sent may change. */
    int[] listening(int message) {
        Message of = messages.get(message);
        int variable = senders.get(of.sender).variables[of.place];
        return heard.get(variable).stream().filter(m -> messages.get(m).sender != of.sender)
                .flatMapToInt(m -> IntStream.of(senders.get(messages.get(m).sender).messages).filter(o -> o != m))
                .toArray();
    }

    void send(int message) {
        Message of = messages.get(message);
        of.sent = of.next;
        of.change = 0;
        if (damping > 0) {
            // what it still lacks is sent when its turn comes again
            prepare(message);
        }
    }

    void prepare(int message) {
        Message of = messages.get(message);
        Sender sender = senders.get(of.sender);
        double[] sums = summed(sender, incoming(sender), of.place);
        double all = Arrays.stream(sums).sum();
        if (!(all > 0)) {
            return;
        }
        for (int k = 0; k < sums.length; k++) {
            sums[k] /= all;
            if (damping > 0 && sums[k] > 0) {
                sums[k] = Math.pow(of.sent[k], damping) * Math.pow(sums[k], 1 - damping);
            }
        }
        double again = Arrays.stream(sums).sum();
        of.change = 0;
        for (int k = 0; k < sums.length; k++) {
            sums[k] = again > 0 ? sums[k] / again : of.sent[k];
            of.change = Math.max(of.change, Math.abs(sums[k] - of.sent[k]));
        }
        of.next = sums;
    }

    double[][] marginals() {
        return IntStream.range(0, space.variables()).mapToObj(v -> belief(v, -1)).toArray(double[][]::new);
    }

    /** What a variable believes without one of its messages, -1 for with all. */
    private double[] belief(int variable, int without) {
        double[] logs = logs(variable, without);
        if (Arrays.stream(logs).max().orElseThrow() == Double.NEGATIVE_INFINITY) {
            Arrays.fill(logs, 0); // messages contradict each other: nothing is believed
        }
        return LogSpace.normalise(logs);
    }

    private double[] logs(int variable, int without) {
        double[] logs = new double[space.cardinality(variable)];
        for (int m : heard.get(variable)) {
            if (m != without) {
                double[] sent = messages.get(m).sent;
                for (int k = 0; k < logs.length; k++) {
                    logs[k] += Math.log(sent[k]);
                }
            }
        }
        return logs;
    }

    private double[][] incoming(Sender sender) {
        double[][] incoming = new double[sender.variables.length][];
        Arrays.setAll(incoming, j -> belief(sender.variables[j], sender.messages[j]));
        return incoming;
    }

    /** The table times what comes in from all places but one, summed onto that place's variable. */
    private static double[] summed(Sender sender, double[][] incoming, int place) {
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

    /** Bethe's estimate. */
    double logSum() {
        double log = 0;
        for (Sender sender : senders) {
            log += sender.log;
            double[][] incoming = incoming(sender);
            if (incoming.length == 0) {
                log += Math.log(sender.table[0]);
                continue;
            }
            log += Math.log(dot(summed(sender, incoming, 0), incoming[0]));
            for (int j = 0; j < incoming.length; j++) {
                log -= Math.log(dot(messages.get(sender.messages[j]).sent, incoming[j]));
            }
        }
        for (int v = 0; v < space.variables(); v++) {
            log += LogSpace.sumExp(logs(v, -1));
        }
        return log;
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(k -> a[k] * b[k]).sum();
    }
}
