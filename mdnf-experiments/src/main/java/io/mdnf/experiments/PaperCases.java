package io.mdnf.experiments;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.random.Seed;
import java.util.List;
import java.util.Locale;

/**
 * The eight cases of the paper's reliability study: four networks, each with two choices of what was observed, and the
 * divergences KL(q || p) its table prints.
 */
enum PaperCases implements Named {
    /** Ten variables of three categories. */
    SACHS_LOW("sachs", "Akt=LOW", new Published(3.70, 2.76, 1.90), new Published(2.49, 0.97, 1.90)),
    /** The same, with the rarer observation. */
    SACHS_HIGH("sachs", "Akt=HIGH", new Published(9.30, 8.18, 0.68), new Published(8.11, 1.70, 0.68)),
    /** Seven binary variables, half of whose codes are impossible. */
    ASIA("asia", "asia=yes", new Published(6.51, 0.59, 1.29), new Published(6.51, 0.55, 1.24)),
    /** The same with a second observation. */
    ASIA_XRAY("asia", "asia=yes,xray=yes", new Published(9.75, 4.30, 0.15), new Published(4.15, 2.41, 0.13)),
    /** Four binary variables; causes that explain each other away. */
    EARTHQUAKE_TRUE("earthquake", "MaryCalls=True", new Published(2.55, 0.83, 0.86), new Published(0.80, 0.81, 0.86)),
    /** The same, with the common observation. */
    EARTHQUAKE_FALSE("earthquake", "MaryCalls=False", new Published(6.07, 0.07, 0.01), new Published(0.05, 0.02, 0.01)),
    /** Four binary variables. */
    CANCER_TRUE("cancer", "Cancer=True", new Published(2.64, 1.38, 0.03), new Published(0.87, 0.35, 0.02)),
    /** The same; the posterior is almost a product. */
    CANCER_FALSE("cancer", "Cancer=False", new Published(0.68, 1.03, 0.01), new Published(0.11, 0.00, 0.01));

    private final String network;
    private final String observed;
    private final Published weak;
    private final Published strong;
    /** Once computed: the search takes a second on Sachs. */
    private double bestProduct = Double.NaN;

    /**
     * What the paper's table prints for one case and one oracle, in nats.
     *
     * @param mdnf MDNF, which the paper calls factorised and which its code builds as a JOINT mixture
     */
    record Published(double straightThrough, double gumbel, double mdnf) { }

    PaperCases(String network, String observed, Published weak, Published strong) {
        this.network = network;
        this.observed = observed;
        this.weak = weak;
        this.strong = strong;
    }

    /** In the order of the paper's table. */
    static List<PaperCases> all() {
        return List.of(values());
    }

    /** Returns the published values with one pair of temperatures for all cases. */
    Published weak() {
        return weak;
    }

    /** Returns the published values with the best pair of temperatures of this case. */
    Published strong() {
        return strong;
    }

    /** Returns a name for people, such as "Sachs, Akt=LOW". */
    @Override
    public String title() {
        return network.substring(0, 1).toUpperCase(Locale.ROOT) + network.substring(1) + ", "
                + observed.replace(",", ", ");
    }

    Evidence evidence() {
        return Evidence.parse(BuiltInNetworks.open(network), observed);
    }

    NetworkTarget target() {
        return new NetworkTarget(evidence());
    }

    /** Returns the smallest KL of any product of categorical distributions, by coordinate ascent from many starts. */
    synchronized double bestProductKl() {
        if (Double.isNaN(bestProduct)) {
            bestProduct = limits().products(24, Seed.of(1)).get(0).kl();
        }
        return bestProduct;
    }

    /** Returns the exact limits of every family. */
    KlLimits limits() {
        NetworkTarget target = target();
        return KlLimits.of(target.space(), target.logJoint(target.space().all()));
    }
}
