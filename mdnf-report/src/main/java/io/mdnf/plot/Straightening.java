package io.mdnf.plot;

import java.util.Arrays;
import java.util.List;

/**
 * Where the boxes of ordered rows stand: row by row, each as near as can be to the mean of what it is linked with, in
 * squares, while none overlaps. For one row that is a regression of increasing values, solved exactly by pooling
 * neighbours that are in each other's way.
 */
final class Straightening {

    /** The first half by the rows above and below in turn, the second by both. */
    private static final int SWEEPS = 40;
    /** A long arc should be straight before a short one is. */
    private static final double LONG = 8;
    private static final double HALF_LONG = 2;
    /** What is linked with nothing stays where it is, if nobody else wants the place. */
    private static final double UNLINKED = 0.1;

    private final Layers layers;
    private final double[] centre;

    private Straightening(Layers layers) {
        this.layers = layers;
        this.centre = new double[layers.size()];
        for (List<Integer> row : layers.rows()) {
            double[] offsets = offsets(row);
            double middle = offsets[offsets.length - 1] / 2;
            for (int p = 0; p < offsets.length; p++) {
                centre[row.get(p)] = offsets[p] - middle;
            }
        }
    }

    static double[] centres(Layers layers) {
        Straightening straightening = new Straightening(layers);
        List<List<Integer>> rows = layers.rows();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean down = sweep % 2 == 0;
            boolean both = sweep >= SWEEPS / 2;
            for (int r = 0; r < rows.size(); r++) {
                straightening.place(rows.get(down ? r : rows.size() - 1 - r), both || down, both || !down);
            }
        }
        return straightening.centre;
    }

    /** From the first of a row to each, side by side. */
    private double[] offsets(List<Integer> row) {
        double[] offsets = new double[row.size()];
        for (int p = 1; p < offsets.length; p++) {
            offsets[p] = offsets[p - 1] + layers.apart(row.get(p - 1), row.get(p));
        }
        return offsets;
    }

    private void place(List<Integer> row, boolean byUpper, boolean byLower) {
        double[] offsets = offsets(row);
        double[] wanted = new double[offsets.length];
        double[] weights = new double[offsets.length];
        for (int p = 0; p < wanted.length; p++) {
            int i = row.get(p);
            double sum = UNLINKED * centre[i];
            double weight = UNLINKED;
            for (List<Integer> linked : List.of(byUpper ? layers.up().get(i) : List.<Integer>of(),
                    byLower ? layers.down().get(i) : List.<Integer>of())) {
                for (int j : linked) {
                    double pull = layers.isBox(i) ? layers.isBox(j) ? 1 : HALF_LONG
                            : layers.isBox(j) ? HALF_LONG : LONG;
                    sum += pull * centre[j];
                    weight += pull;
                }
            }
            wanted[p] = sum / weight - offsets[p];
            weights[p] = weight;
        }
        double[] fitted = increasing(wanted, weights);
        for (int p = 0; p < wanted.length; p++) {
            centre[row.get(p)] = fitted[p] + offsets[p];
        }
    }

    /** The nearest values, in weighted squares, that never decrease. */
    private static double[] increasing(double[] wanted, double[] weights) {
        double[] mean = new double[wanted.length];
        double[] weight = new double[wanted.length];
        int[] end = new int[wanted.length];
        int pools = 0;
        for (int p = 0; p < wanted.length; p++) {
            mean[pools] = wanted[p];
            weight[pools] = weights[p];
            end[pools++] = p + 1;
            while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
                double sum = weight[pools - 2] + weight[pools - 1];
                mean[pools - 2] = (mean[pools - 2] * weight[pools - 2] + mean[pools - 1] * weight[pools - 1]) / sum;
                weight[pools - 2] = sum;
                end[pools - 2] = end[pools - 1];
                pools--;
            }
        }
        double[] fitted = new double[wanted.length];
        for (int pool = 0, from = 0; pool < pools; from = end[pool++]) {
            Arrays.fill(fitted, from, end[pool], mean[pool]);
        }
        return fitted;
    }
}
