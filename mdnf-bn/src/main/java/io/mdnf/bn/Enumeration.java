package io.mdnf.bn;

import java.util.ArrayList;
import java.util.List;

/**
 * All latent codes of a small network one after the other, in lexicographic order of the latent nodes with the last one
 * fastest: code number n is the index into a row-major table of shape {@link Evidence#latentCardinalities()}.
 *
 * <p>Each conditional is looked up only when a state it depends on changes, so a step costs a few additions.
 */
public final class Enumeration {

    /** Most codes visited. */
    public static final long MOST_CODES = 10_000_000;

    private final Evidence evidence;
    private final int[] latents;
    private final List<List<LogFactor>> factors = new ArrayList<>();
    private final double observed;

    private Enumeration(Evidence evidence) {
        this.evidence = evidence;
        this.latents = evidence.latents();
        int[] positionOf = new int[evidence.network().size()];
        for (int d = 0; d < latents.length; d++) {
            positionOf[latents[d]] = d;
            factors.add(new ArrayList<>());
        }
        double constant = 0;
        for (int i = 0; i < evidence.network().size(); i++) {
            LogFactor factor = LogFactor.conditional(evidence, i);
            int last = -1;
            for (int variable : factor.variables()) {
                last = Math.max(last, positionOf[variable]);
            }
            if (last < 0) {
                constant += factor.constant();
            } else {
                factors.get(last).add(factor);
            }
        }
        observed = constant;
    }

    /** Receives one code after the other. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * One configuration.
         *
         * @param states   state of every node; reused, copy it to keep it
         * @param logJoint log p(states), negative infinity if impossible
         */
        void visit(int[] states, double logJoint);
    }

    /**
     * How many latent codes there are.
     *
     * @param evidence the network and what was observed
     * @return the product of the latent cardinalities; a double, since it may be astronomical
     */
    public static double count(Evidence evidence) {
        double count = 1;
        for (int cardinality : evidence.latentCardinalities()) {
            count *= cardinality;
        }
        return count;
    }

    /**
     * Visits every latent code, impossible ones included.
     *
     * @param evidence the network and what was observed
     * @param visitor  called once per code, in order
     * @throws TooLargeException if there are more than {@link #MOST_CODES} codes
     */
    public static void forEach(Evidence evidence, Visitor visitor) {
        requireFew(evidence);
        new Enumeration(evidence).run(visitor);
    }

    /**
     * log p(evidence, code) of every latent code.
     *
     * @param evidence the network and what was observed
     * @return row-major over the latent nodes, last fastest, [count(evidence)]
     * @throws TooLargeException if there are more than {@link #MOST_CODES} codes
     */
    public static double[] logJoints(Evidence evidence) {
        requireFew(evidence);
        double[] logJoints = new double[(int) count(evidence)];
        int[] next = {0};
        forEach(evidence, (states, logJoint) -> logJoints[next[0]++] = logJoint);
        return logJoints;
    }

    private static void requireFew(Evidence evidence) {
        double count = count(evidence);
        if (count > MOST_CODES) {
            throw new TooLargeException("enumerating the latent codes of "
                    + Names.quote(evidence.network().name()), count, MOST_CODES);
        }
    }

    /** An odometer; prefix[d] is the log joint of everything decided by the first d latents. */
    private void run(Visitor visitor) {
        int[] states = evidence.complete(new int[latents.length]);
        double[] prefix = new double[latents.length + 1];
        prefix[0] = observed;
        int changed = 0;
        while (changed >= 0) {
            for (int d = changed; d < latents.length; d++) {
                prefix[d + 1] = prefix[d];
                for (LogFactor factor : factors.get(d)) {
                    prefix[d + 1] += factor.at(states);
                }
            }
            visitor.visit(states, prefix[latents.length]);
            changed = latents.length - 1;
            while (changed >= 0 && ++states[latents[changed]] == evidence.network().cardinality(latents[changed])) {
                states[latents[changed--]] = 0;
            }
        }
    }
}
