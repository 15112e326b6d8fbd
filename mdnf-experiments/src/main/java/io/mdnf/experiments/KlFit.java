package io.mdnf.experiments;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.random.Seed;
import java.io.IOException;

/**
 * One fit to a network whose log evidence is known.
 *
 * @param elbo the bound, summed exactly
 * @param kl KL(q || p), the log evidence minus the bound
 */
record KlFit(double elbo, double kl, double seconds) {

    static KlFit of(NetworkTarget target, Plan plan, Seed seed) throws IOException {
        Fit fit = new Fitter(target, target.order()).fit(plan, seed);
        fit.close();
        double elbo = fit.bound().value();
        return new KlFit(elbo, VariableElimination.logEvidence(target.evidence()) - elbo, fit.seconds());
    }

    /** The first repeat has the user's seed itself. */
    static Seed seed(Workplace workplace, int repeat) {
        return repeat == 0 ? workplace.seed() : workplace.seed().fold(repeat);
    }
}
