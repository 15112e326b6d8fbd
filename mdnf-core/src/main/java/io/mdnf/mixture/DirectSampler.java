package io.mdnf.mixture;

import io.mdnf.graph.ParameterValues;
import io.mdnf.space.CodeSpace;

/** Samples shift flows whose logits are their parameters: a shift is looked up, however many components there are. */
final class DirectSampler implements CodeSampler {

    private final CodeSpace space;

    DirectSampler(Mixture mixture) {
        this.space = mixture.space();
    }

    @Override
    public int[][] codes(ParameterValues values, int[][] component, int[][] base) {
        double[] logits = values.under("flow").under("shift").read("logits");
        int[][] x = new int[component.length][space.variables()];
        for (int i = 0; i < x.length; i++) {
            for (int d = 0; d < x[i].length; d++) {
                int at = (component[i][d] * space.variables() + d) * space.width();
                int shift = 0;
                for (int k = 1; k < space.cardinality(d); k++) {
                    shift = logits[at + k] > logits[at + shift] ? k : shift;
                }
                x[i][d] = (base[i][d] + shift) % space.cardinality(d);
            }
        }
        return x;
    }
}
