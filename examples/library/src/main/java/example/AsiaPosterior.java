package example;

import io.mdnf.bn.*;
import io.mdnf.fit.*;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Seed;
import java.util.Locale;

/** Who has a shadow on the X-ray after a visit to Asia: the posterior of a network, fitted, judged and sampled. */
public final class AsiaPosterior {
    public static void main(String[] arguments) throws Exception {
        BayesianNetwork asia = BuiltInNetworks.open("asia"); // or NetworkSource.open("my.bif")
        NetworkTarget target = new NetworkTarget(Evidence.parse(asia, "asia=yes,xray=yes"));

        Plan plan = Plan.joint().withComponents(40);
        Fit fit = new Fitter(target, target.order()).fit(plan, Seed.of(1));

        double logEvidence = VariableElimination.logEvidence(target.evidence());
        try (CodeDistribution q = fit.distribution()) {
            System.out.printf(Locale.ROOT, "ELBO %.4f, log evidence %.4f%n", fit.bound().value(), logEvidence);
            System.out.println(fit.judgement().sentence());
            double[][] marginals = q.marginals(1000, Seed.of(2)).probabilities();
            for (int d = 0; d < marginals.length; d++) {
                System.out.printf(Locale.ROOT, "p(%s=%s | asia, xray) = %.3f%n", target.variables().get(d),
                        target.states(d).get(0), marginals[d][0]);
            }
        }
    }
}
