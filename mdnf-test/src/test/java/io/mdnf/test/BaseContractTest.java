package io.mdnf.test;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.space.CodeSpace;
import java.util.Map;

/** Every base of the library. */
class BaseContractTest extends BaseContract {

    @Override
    protected Map<String, Base> bases() {
        CodeSpace space = CodeSpace.of(2, 3, 2);
        Map<String, Base> bases = MixtureContractTest.bases(space);
        bases.put("deltas at 0", Deltas.zero(space, 2));
        bases.put("enumerating deltas", Deltas.enumerating(space, 5));
        bases.put("uniform", FixedBase.uniform(space, 2));
        return bases;
    }
}
