package io.mdnf.test;

import io.mdnf.objective.ChiBound;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.ImportanceWeightedElbo;
import io.mdnf.objective.Objective;
import java.util.Map;

/** Every objective of the library. */
class ObjectiveContractTest extends ObjectiveContract {

    @Override
    protected Map<String, Objective> objectives() {
        return Map.of("ELBO", new Elbo(), "of 1", new ImportanceWeightedElbo(1), "of 4", new ImportanceWeightedElbo(4),
                "of all", new ImportanceWeightedElbo(8), "chi", new ChiBound());
    }
}
