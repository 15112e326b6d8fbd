package io.mdnf.uai;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Which variables of a model were observed, and in which category. */
public final class UaiEvidence {

    private static final int LATENT = -1;

    private final UaiModel model;
    private final int[] states;

    private UaiEvidence(UaiModel model, int[] states) {
        this.model = model;
        this.states = states;
    }

    /** Returns no observation. */
    public static UaiEvidence none(UaiModel model) {
        return of(model, Map.of());
    }

    /** Returns observations, variable to category, both from 0. */
    public static UaiEvidence of(UaiModel model, Map<Integer, Integer> observed) {
        int[] states = new int[model.variables()];
        Arrays.fill(states, LATENT);
        observed.forEach((variable, state) -> {
            Check.that(variable >= 0 && variable < states.length, "variable ", variable, " was observed, ", model,
                    " has 0 to ", states.length - 1);
            Check.that(state >= 0 && state < model.cardinality(variable), "variable ", variable, " was observed in ",
                    state, ", it has categories 0 to ", model.cardinality(variable) - 1);
            states[variable] = state;
        });
        return new UaiEvidence(model, states);
    }

    /** Returns whether a variable was observed. */
    public boolean isObserved(int variable) {
        return states[variable] != LATENT;
    }

    /** Returns the category a variable was observed in; an IllegalArgumentException if it was not observed. */
    public int state(int variable) {
        Check.that(isObserved(variable), "variable ", variable, " was not observed");
        return states[variable];
    }

    /** Returns what was observed, variable to category, in the order of variables. */
    public Map<Integer, Integer> observed() {
        Map<Integer, Integer> observed = new TreeMap<>();
        for (int v = 0; v < states.length; v++) {
            if (isObserved(v)) {
                observed.put(v, states[v]);
            }
        }
        return observed;
    }

    /**
     * Returns marginals of {@link UaiModel#target} [n][K_d] as those of the model: observed ones all on one category.
     */
    public double[][] complete(double[][] marginals) {
        double[][] complete = new double[states.length][];
        for (int v = 0; v < complete.length; v++) {
            if (isObserved(v)) {
                complete[v] = new double[model.cardinality(v)];
                complete[v][states[v]] = 1;
            } else {
                complete[v] = marginals[v].clone();
            }
        }
        return complete;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UaiEvidence evidence && model.equals(evidence.model)
                && Arrays.equals(states, evidence.states);
    }

    @Override
    public int hashCode() {
        return 31 * model.hashCode() + Arrays.hashCode(states);
    }

    @Override
    public String toString() {
        return observed().toString();
    }
}
