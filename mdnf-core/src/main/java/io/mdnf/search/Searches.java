package io.mdnf.search;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The searches in a target, each made when first asked for and shared by all families of a fit: for its most probable
 * codes (all codes, where they can be listed) and for its best product.
 *
 * <pre>{@code
 * Searches searches = new Searches(target, Support.of(target), 100, 100, Effort.standard(), Seed.of(1));
 * Atoms best = searches.codes().atoms(100, Weighting.EQUAL);
 * }</pre>
 */
public final class Searches {

    /** Hears how far a search is; called often, so it is quick. */
    @FunctionalInterface
    public interface Watch {

        /** Takes the share of a search, for codes or else for a product, that is done, from 0 to 1; it may fall. */
        void at(boolean codes, double share);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Searches.class);

    private final TargetModel target;
    private final Support support;
    private final int codeCount;
    private final int units;
    private final Effort effort;
    private final Seed seed;
    private Watch watch = (what, share) -> { };
    private FoundCodes codes;
    private double logMass = Double.NEGATIVE_INFINITY;
    private FoundProduct product;

    /**
     * Prepares, but searches nothing yet: for at least {@code codeCount} codes and products on a grid of B = {@code
     * units}, both at least 1. The same seed finds the same.
     */
    public Searches(TargetModel target, Support support, int codeCount, int units, Effort effort, Seed seed) {
        Check.that(codeCount >= 1 && units >= 1, "codeCount = " + codeCount + ", units = " + units
                + ", expected at least 1");
        this.target = target;
        this.support = support;
        this.codeCount = codeCount;
        this.units = units;
        this.effort = effort;
        this.seed = seed;
    }

    /** Returns this with its searches watched. */
    public Searches watched(Watch other) {
        watch = other;
        return this;
    }

    /** Returns whether the codes will be all there are, whatever they are started from. */
    public boolean areListed() {
        return target.space().isListable();
    }

    /**
     * Returns the most probable codes; those to start from, [n][D], any number, count only in the first call. Throws
     * an IllegalArgumentException if all codes were listed and none has positive probability, an
     * IllegalStateException if a search found none.
     */
    public FoundCodes codes(int[]... start) {
        if (codes == null) {
            for (int[] code : start) {
                target.space().check(code);
            }
            codes = areListed() ? FoundCodes.listed(target)
                    : new AtomSearch(target, support, codeCount, effort.atoms(), seed,
                            share -> watch.at(true, share)).run(start);
            logMass = LogSpace.sumExp(codes.logJoint());
            LOG.info("{} after {} evaluations", codes, codes.evaluations());
        }
        return codes;
    }

    /**
     * Returns log of what the codes hold that were found so far, at most log p(D); -infinity if none were looked for.
     */
    public double logMass() {
        return logMass;
    }

    /** Returns the best products; those to start from, any number, count only in the first call. */
    public FoundProduct product(Product... start) {
        if (product == null) {
            product = new ProductSearch(target, codes(), units, effort.products(), seed,
                    share -> watch.at(false, share)).run(start);
            LOG.info("a product reaches {} from {} starts", product.bound(), product.starts());
        }
        return product;
    }

    /** Returns the better of the most probable codes, freely weighted, and the best product. */
    public CodeDistribution best() {
        Atoms atoms = codes().areAll() ? codes().atoms() : codes().atoms(codeCount, Weighting.FREE);
        return codes().areAll() || Bound.of(target, atoms, 2, seed).value() > product().bound().value()
                ? atoms : product().product();
    }
}
