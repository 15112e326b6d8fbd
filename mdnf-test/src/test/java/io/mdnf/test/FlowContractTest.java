package io.mdnf.test;

import io.mdnf.flow.Flow;
import io.mdnf.space.CodeSpace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every flow of the library on every network. */
class FlowContractTest extends FlowContract {

    private static final List<CodeSpace> SPACES = List.of(CodeSpace.of(2, 3, 2), CodeSpace.uniform(3, 4));

    @Override
    protected Map<String, Flow> flows(int components) {
        Map<String, Flow> all = new LinkedHashMap<>();
        SPACES.forEach(space ->
                Flows.all(space, components).forEach((name, flow) -> all.put(name + " on " + space, flow)));
        return all;
    }
}
