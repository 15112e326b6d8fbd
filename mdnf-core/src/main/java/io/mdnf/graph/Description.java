package io.mdnf.graph;

import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * A part of a model without values: it knows its space, its number of components and its parameters, and lays itself
 * out in a {@link Graph}. Bases, shift networks, flows and mixtures are descriptions.
 */
public interface Description {

    /** Returns the space of codes. */
    CodeSpace space();

    /** Returns B, the number of components. */
    int components();

    /** Returns the trainable parameters. */
    List<Parameter> parameters();

    /** Returns the number of trainable values. */
    default int parameterCount() {
        return parameters().stream().mapToInt(Parameter::size).sum();
    }
}
