package io.mdnf.test;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.flow.Flow;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.PartialFlow;
import io.mdnf.network.Made;
import io.mdnf.network.Narrowed;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** Every flow of the library on every kind of base. */
class MixtureContractTest extends MixtureContract {

    private static final CodeSpace CODES = CodeSpace.of(2, 3, 2);

    static Map<String, Base> bases(CodeSpace space) {
        Map<String, Base> bases = new LinkedHashMap<>();
        bases.put("deltas", Deltas.random(space, B, Seed.of(2)));
        bases.put("Dirichlet", FixedBase.dirichlet(space, B, 0.5, Seed.of(3)));
        bases.put("trainable", new TrainableBase(space, B));
        return bases;
    }

    @Override
    protected Map<String, Flow> flows() {
        return Flows.all(CODES, B);
    }

    @Override
    protected Map<String, Base> bases() {
        return bases(CODES);
    }

    /** A scale has something to learn only among three categories or more. */
    @Nested
    class OfPartialScales extends MixtureContract {

        private static final CodeSpace TERNARY = CodeSpace.uniform(2, 3);

        @Override
        protected Map<String, Flow> flows() {
            ShiftNetwork made = new Narrowed(Made.with(TERNARY, B).hidden(5).build(), 3);
            return Map.of("partial location-scale made",
                    new PartialFlow(TERNARY, new LocationScaleFlow(made, made), 2, 0, 1));
        }

        @Override
        protected Map<String, Base> bases() {
            return MixtureContractTest.bases(TERNARY);
        }
    }
}
