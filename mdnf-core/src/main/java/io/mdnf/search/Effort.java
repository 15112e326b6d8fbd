package io.mdnf.search;

/**
 * How much is spent on a fit: every threshold of searching, learning and judging, with the reason for its value.
 *
 * <p>The {@linkplain #standard standard} effort needs no tuning. Together these numbers reach the known optima of
 * docs/reproduction.md: the best atoms of every built-in network from random starts, the best product of 100 random
 * fields, conditionals 0.025 nats from the evidence of Hepar II (decision 9). Where none of these measurements asks for
 * a particular value, the reason says what a smaller or larger one would do.
 *
 * <p>What stands elsewhere is no effort of a fit: an algorithm's own settings are beside it ({@code ...Settings}), the
 * search for orders of elimination and the independent limits of {@code io.mdnf.evaluation} keep theirs at their top,
 * and numbers of arithmetic (rounding, sizes of blocks) stand where they are used.
 *
 * @param atoms of the search for the most probable codes
 * @param products of the search for the best product
 * @param learning of learning conditionals from codes
 * @param messages of answers by bounded messages and weighted samples
 * @param correction of learning what bounded messages lost
 * @param fitting of training before a search, and of judging what was found
 */
public record Effort(Atoms atoms, Products products, Learning learning, Messages messages, Correction correction,
        Fitting fitting) {

    /**
     * The search for the most probable codes.
     *
     * @param chains annealed chains of a round from anywhere, and as many from elite codes: few, since what a round
     *     finds the next one expands
     * @param sweeps of a chain, plus one for every 10 variables
     * @param chainEvaluations what the chains of a round may cost: with thousands of categories fewer of them run
     * @param climbSweeps of coordinate ascent, a guard: it ends by itself when nothing moves
     * @param climbers codes of the start that climb, and codes drawn along the factors when nothing possible is known
     * @param elite codes that a search works with at least: a handful says too little about which variables move
     *     together
     * @param pairs best neighbours through which pairs of changes go
     * @param impossiblePairs the same through impossible neighbours, drawn at random since nothing ranks them
     * @param pairPatience scans of pairs without effect before a round gives them up
     * @param quietRounds without a new elite code before the search ends
     * @param quietAmongZeros the same where zeros split the space into islands that chains find by luck: luck gets more
     *     turns
     * @param budget evaluations for each category and each code looked for (and 256 more codes): a guard, for searches
     *     that do not come to rest by themselves
     * @param blackBox evaluations in all of a target without factors, each of which costs the whole log joint: with 50
     *     variables of 4 categories the search rests after 7 million
     */
    public record Atoms(int chains, int sweeps, int chainEvaluations, int climbSweeps, int climbers, int elite,
            int pairs, int impossiblePairs, int pairPatience, int quietRounds, int quietAmongZeros, int budget,
            long blackBox) {}

    /**
     * The search for the best product.
     *
     * @param leastStarts of coordinate ascent
     * @param mostStarts where the best optimum keeps changing
     * @param hits how often the best optimum must turn up before the starts end
     * @param same optima whose bounds differ by less, in nats, are taken for the same
     * @param kept optima that are moved on the grid: the best one off the grid is not always the best on it
     * @param gridOrders orders of the variables in which each is moved: over 40 random fields the 95th percentile of
     *     the gap to the best product on the grid is 0.00003 nats with 3, and 0.00000 with 10
     * @param guides possible codes, drawn from those found, that starts are collapsed on
     * @param tolerance below which moves of probabilities end an ascent: what follows is finer, or on the grid
     * @param fineTolerance the same for the one that is kept: rounding
     * @param sweeps of one ascent where the expectation is exact, a guard: it ends by itself when nothing moves
     * @param sampledStarts of a black box, whose every start costs evaluations
     * @param sampledSweeps of one ascent of a black box
     * @param sampledTolerance where such an ascent ends: samples move probabilities by more
     * @param roughSamples of a black box for all starts
     * @param finalists the best of them, which ascend further
     * @param middleSamples for these
     * @param fineSamples for the last one
     * @param fineSweeps of that: it starts where the finalists ended, and a sweep costs 1,024 evaluations a category
     * @param judgeSamples that measure it: a standard error of 0.008 where the log joint varies by 1
     * @param repairs how often a product that meets impossible codes is collapsed and ascends again on more samples
     * @param blackBox evaluations of a target without factors after which nothing is started or ascended anew: with 50
     *     variables of 4 categories 16 starts take 5 million
     */
    public record Products(int leastStarts, int mostStarts, int hits, double same, int kept, int gridOrders, int guides,
            double tolerance, double fineTolerance, int sweeps, int sampledStarts, int sampledSweeps,
            double sampledTolerance, int roughSamples, int finalists, int middleSamples, int fineSamples,
            int fineSweeps, int judgeSamples, int repairs, long blackBox) {}

    /**
     * Learning conditionals of a target without factors, beside {@link Correction}, and making flows by number.
     *
     * @param atoms most probable codes that chains may start from
     * @param burnIn sweeps before the first step: the chains start at the best atoms or product, and go on while
     *     conditionals are learned
     * @param steps updates; a chain of 50 variables of 4 categories: 35 million evaluations in all, 94 s of CPU, for a
     *     bound 0.11 nats below the evidence; by 1000 steps 24 million, 55 s and 0.16
     * @param evaluationSamples of the bound along the way, for people: a standard error of 0.03 where log weights vary
     *     by 1
     * @param spread share of each variable's first conditional that is uniform: what the best product leaves out is
     *     offered too
     * @param examples that the weights of flows are adjusted to
     * @param reach how far a logit may fall behind where impossible codes are met: categories below e^-5 or so are left
     *     out
     * @param probes samples that look for impossible codes
     * @param cleanProbes how often in a row they must find none: a share of impossible codes above 0.0005 is then met
     *     with 0.9995
     * @param mostProbes of a result, a guard: a variable's reach has gone after five of its own
     * @param flowsPerCategory flows for each category after the first where it takes flows by number to leave out what
     *     is impossible, so that a conditional has a grain of 1 %
     * @param mostFlows a limit for variables of many categories
     * @param blackBox evaluations for each code and step: so many variables of a chain move, at least one
     */
    public record Learning(int atoms, int burnIn, long steps, int evaluationSamples, double spread, int examples,
            double reach, int probes, int cleanProbes, int mostProbes, int flowsPerCategory, int mostFlows,
            int blackBox) {

        /** Returns how many flows B a posterior of width K gets where they must be counted. */
        public int flows(int width) {
            return Math.min(mostFlows, flowsPerCategory * Math.max(1, width - 1));
        }
    }

    /**
     * Answers within a budget, by bounded messages and weighted samples. Speeds plan the work where time is
     * measured, and are all there is where work is counted; they were measured on one core of an AMD EPYC beside other
     * work, on spin glasses on tori of 100, 121 and 900 variables. The other numbers gave the figures of decision 23
     * together; but for the share that is defended none was varied by itself.
     *
     * @param exactEntries of tables a second where messages alone are held: measured 4.2e7 to 5.2e7, and half of it
     *     taken for slower cores
     * @param boundedEntries of tables a second: measured 1.4e7 to 3.1e7 with tables of 2^10 to 2^16 entries, 4e6
     *     before the compiler has seen the code
     * @param sampledVariables weighted samples of a variable a second, its conditional with them: measured 3.4e6 to
     *     4.6e6
     * @param exactShare of the time that exact messages may take: if they were planned wrongly by two, the budget still
     *     holds
     * @param messageShare of the time that bounded messages may take, and again as much to make them tighter: the rest
     *     is for samples and learning, on which the answer stands
     * @param learningShare of the time at which learning ends: samples have to find out what was learned
     * @param closeShare the same for whoever wants a distribution, and not only what it says: few samples measure that
     * @param roughEntries of a table for bounds that are told before exact messages that take a second or more
     * @param stages of learning, while time is left and samples are worth little, each twice as long as that before
     * @param passes by which a bound is made tighter; what they gain falls off
     * @param countedPasses the same where work is counted: each takes about the share of the messages
     * @param pilot samples that say what conditionals are worth: 600 effective ones decide on learning
     * @param learnedBelow what is worth less than this share of its samples is learned further: above it samples alone
     *     are worth as much sooner
     * @param close the same for whoever wants a distribution, and not only what it says
     * @param batch samples between two looks at time and errors: a fraction of a second
     * @param defended one sample in so many comes from what was not learned (decision 23: without, an estimate was off
     *     by thirty of its standard errors)
     * @param meanError of marginals at which nothing more is sampled: two of the fourth digit
     * @param leastLogWeight of a sample below the largest of its batch that counts in marginals: e^-25 of a marginal is
     *     seen by nobody
     */
    public record Messages(double exactEntries, double boundedEntries, double sampledVariables, double exactShare,
            double messageShare, double learningShare, double closeShare, double roughEntries, int stages, int passes,
            int countedPasses, int pilot, double learnedBelow, double close, int batch, int defended, double meanError,
            double leastLogWeight) {}

    /**
     * Learning what bounded messages lost. Together these numbers gave the figures of decision 23; none was varied by
     * itself but {@code unlearnedEvery}.
     *
     * @param hidden units for each variable: it learns a remainder, beside direct connections
     * @param rate of Adam at first; it falls to 0 over the steps
     * @param chains codes of a step, which as many chains move on
     * @param fewestChains where steps would be too large
     * @param mostInputs numbers of all networks' inputs in a step: 80 MB in floats
     * @param mostSeen variables that a network looks at: those drawn last, which are nearest
     * @param steps of a first stage of learning where time allows it
     * @param fewestSteps with fewer nothing is learned
     * @param triedSteps that tell how long one takes
     * @param products and sums a second where work is counted: a guess, on the slow side
     * @param unlearnedEvery step whose offers to the chains come from what was not learned (decision 23)
     * @param even share of effective samples among a step's draws of q from which these are learned from, not chains
     * @param draws of q for each chain, from which the first codes are drawn by their weights
     * @param firstSweeps of the chains before the first step: the first codes follow weights that were flattened
     * @param worth of the first draws, as a share of the chains, below which weights are flattened
     * @param flatter the power by which they are, again and again
     */
    public record Correction(int hidden, double rate, int chains, int fewestChains, double mostInputs, int mostSeen,
            long steps, long fewestSteps, int triedSteps, double products, int unlearnedEvery,
            double even, int draws,
            int firstSweeps, double worth, double flatter) {}

    /**
     * Training before a search, and judging.
     *
     * @param components B of atoms and products unless it is said: as in the paper's tables
     * @param vifSteps of VIF where a search follows: it only has to hand over good starts
     * @param bvifSteps of BVIF for each component where a search follows
     * @param vifAloneSteps of VIF on atoms where no search follows: the paper's cases sum to 1.18 nats
     * @param bvifAloneSteps of BVIF for each component where no search follows
     * @param leastGain nats that another atom has to gain where their number is not given
     * @param patience atoms in a row that may gain less before no more are tried
     * @param productAloneSteps of VIF on products where no search follows
     * @param conditionalsAloneSteps of VIF on conditionals where nothing is searched: the paper's cases end at a KL
     *     of at most 0.02 nats, by half at 0.03, by 300 a mode of one is missed
     * @param saveEvery steps between checkpoints: about a second of work
     * @param boundSamples for a bound that no finite sum gives: a standard error of 0.01 where log weights vary by 1
     * @param marginalSamples for marginals that no finite sum gives: a standard error of at most 0.0035
     * @param weightSamples importance weights for the verdict: their tail has 134, so Pareto k is known to about 0.13
     * @param lookedAround codes whose neighbours are looked at for mass that is missing: enough to find what is missing
     *     everywhere, at the cost of a bound
     * @param tolerated nats that may be missing from what is trusted: by Pinsker no probability is then off by more
     *     than 0.16
     */
    public record Fitting(int components, int vifSteps, int bvifSteps, int vifAloneSteps, int bvifAloneSteps,
            double leastGain, int patience, int productAloneSteps, int conditionalsAloneSteps, int saveEvery,
            int boundSamples, int marginalSamples, int weightSamples, int lookedAround, double tolerated) {}

    /** Returns the same with another number of steps in which conditionals are learned, wherever that is. */
    public Effort withSteps(long steps) {
        Learning l = learning;
        Correction c = correction;
        return new Effort(atoms, products, new Learning(l.atoms, l.burnIn, steps, l.evaluationSamples, l.spread,
                l.examples, l.reach, l.probes, l.cleanProbes, l.mostProbes, l.flowsPerCategory, l.mostFlows,
                l.blackBox), messages, new Correction(c.hidden, c.rate, c.chains, c.fewestChains, c.mostInputs,
                c.mostSeen, steps,
                        Math.min(c.fewestSteps, steps), c.triedSteps, c.products, c.unlearnedEvery, c.even, c.draws,
                        c.firstSweeps, c.worth, c.flatter), fitting);
    }

    /** Returns the effort that needs no tuning. */
    public static Effort standard() {
        return new Effort(
                new Atoms(8, 24, 200_000, 50, 32, 32, 48, 16, 3, 4, 6, 32, 20_000_000),
                new Products(24, 200, 6, 1e-4, 8, 10, 16, 1e-6, 1e-12, 500, 16, 12, 1e-4, 32, 3, 256, 1024, 4, 16_384,
                        4, 10_000_000),
                new Learning(4000, 60, 2000, 1000, 0.1, 1000, 5, 5000, 3, 25, 100, 200, 50),
                new Messages(2e7, 5e6, 4e6, 0.5, 0.1, 0.7, 0.9, 1024, 6, 10, 2, 2000, 0.3, 0.95, 4096, 8, 2e-4, -25),
                new Correction(16, 0.01, 200, 50, 2e7, 48, 1000, 30, 5, 1e9, 4, 0.4, 50, 10, 0.5, 0.8),
                new Fitting(100, 300, 20, 4000, 200, 0.01, 5, 2000, 2000, 100, 10_000, 20_000, 2000, 200, 0.05));
    }
}
