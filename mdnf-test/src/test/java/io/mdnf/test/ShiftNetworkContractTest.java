package io.mdnf.test;

import io.mdnf.network.Nade;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every network of the library, of two categories too. */
class ShiftNetworkContractTest extends ShiftNetworkContract {

    @Override
    protected Map<String, ShiftNetwork> networks() {
        Map<String, ShiftNetwork> all = new LinkedHashMap<>();
        List.of(CodeSpace.of(2, 3, 2, 3), CodeSpace.uniform(3, 2)).forEach(space ->
                Flows.networks(space, 3).forEach((name, network) -> all.put(name + " on " + space, network)));
        all.put("nade with features", new Nade(CodeSpace.of(2, 3, 2, 3), 3, 4, 6));
        return all;
    }
}
