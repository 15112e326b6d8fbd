package io.mdnf.gmm;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Tables;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.training.TrainingState;
import java.util.Arrays;

/**
 * The E-step by boosting: q = (1 - rho) q_before + rho q_new, where q_new is one delta per point moved by one flow with
 * logits [1, N, K], and rho is shared by all points. Component after component is trained with the earlier ones fixed,
 * on the exact bound of the whole, which is (1 - rho) E_before[l] + rho E_new[l]; it ends early when one gains nothing.
 *
 * <p>The graph holds one component only; what came before enters as a table.
 */
final class BoostedExpectation extends FlowExpectation {
    private static final Parameter SHARE = new Parameter("share", Initialiser.constant(0), 1, 1);
    /** The smallest gain that counts as progress, in nats per point. */
    private static final double WORTH = 1e-5;
    /** The most rounds of choosing clusters and weights in turn, each of which can only gain. */
    private static final int ROUNDS = 20;

    /** Logits of shares below this hardly move by gradient. */
    private static final double LEAST = -10;

    private final Tensor logRho;
    private final Tensor before;
    private final Tensor atom;
    private final int each;
    private AllocationBound bound;
    private double[] earlier;

    BoostedExpectation(int points, int clusters, FlowSettings settings) {
        super(settings, Precision.DOUBLE);
        MixtureGraph flow = Mixture.factorised(CodeSpace.uniform(points, clusters), 1).in(setting);
        this.logRho = graph.placeholder("logRho", points, clusters);
        this.before = graph.placeholder("before", points, clusters);
        this.atom = flow.tables(null).q().reshape(points, clusters).plus(0);
        Tensor share = graph.parameter(SHARE).sigmoid();
        Tensor q = before.scaledBy(share.times(-1).plus(1)).plus(atom.scaledBy(share));
        Tensor entropy = new Tables(q.reshape(1, points, clusters), settings.components()).entropy().sum();
        Tensor loss = q.times(logRho).sum().plus(entropy).times(-1);
        trains(ExecutionPlan.compile(graph, loss, atom), settings.training(0, graph.precision()));
        this.each = plan().layout().size();
    }

    @Override
    public double[] initial(Seed seed) {
        double[] all = new double[settings.components() * each];
        for (int b = 0; b < settings.components(); b++) {
            System.arraycopy(plan().layout().initial(seed.fold(b)), 0, all, b * each, each);
            all[(b + 1) * each - 1] = firstShare(b, Double.NEGATIVE_INFINITY);
        }
        return all;
    }

    /** The logit a share starts at: the first component is everything; one without a share gets an equal one. */
    private static double firstShare(int component, double logit) {
        return component == 0 ? BoostedAtoms.MOST : logit < LEAST ? -Math.log(component) : logit;
    }

    @Override
    Fit fit(AllocationBound maximised, double[] flow, double[] previous, Seed seed) {
        bound = maximised;
        plan().write(logRho, bound.logRho());
        double[] trained = flow.clone();
        BoostedAtoms atoms = new BoostedAtoms(bound, settings.components());
        int iterations = 0;
        for (int b = 0; b < settings.components(); b++) {
            earlier = atoms.mixture();
            plan().write(before, b == 0 ? new double[bound.logRho().length] : earlier);
            double[] from = Arrays.copyOfRange(trained, b * each, (b + 1) * each);
            from[each - 1] = firstShare(b, from[each - 1]);
            TrainingState end = trained(seed, from);
            iterations += (int) end.step();
            System.arraycopy(end.parameters(), 0, trained, b * each, each);
            // a component that only costs is left out: its share is 0
            boolean worth = b == 0 || end.best().value() > bound.of(earlier);
            double[] best = result(end);
            atoms.add(best, worth ? share(best) : 0);
            if (settings.keep() == FlowSettings.Keep.REFINED) {
                atoms.refine(1, 0);
            }
            if (b > 0 && bound.of(atoms.mixture()) - bound.of(earlier) < worth()) {
                break;
            }
        }
        if (settings.keep() == FlowSettings.Keep.REFINED) {
            atoms.refine(ROUNDS, worth());
        }
        if (previous != null) {
            // the last E-step's components under the new parameters: with them EM cannot fall
            BoostedAtoms kept = BoostedAtoms.of(bound, settings.components(), flow);
            if (settings.keep() == FlowSettings.Keep.REFINED) {
                kept.refine(ROUNDS, worth());
            }
            if (bound.of(kept.mixture()) > bound.of(atoms.mixture())) {
                return new Fit(kept.mixture(), kept.writtenInto(trained), iterations);
            }
        }
        return new Fit(atoms.mixture(), atoms.writtenInto(trained), iterations);
    }

    /** Returns the bound of the whole with the component as it is. */
    @Override
    public double value() {
        return bound.of(BoostedAtoms.joined(earlier, plan().read(atom), share(plan().parameters())));
    }

    private double share(double[] parameters) {
        return LogSpace.sigmoid(parameters[each - 1]);
    }

    @Override
    public double worth() {
        return WORTH * bound.points();
    }

    /** Returns the best parameters of the component: logits [N, K], then the logit of its share. */
    @Override
    public double[] result(TrainingState state) {
        return state.best().parameters();
    }
}
