package io.mdnf.bn;

import io.mdnf.elimination.Calibration;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.Memory;
import java.util.List;

/**
 * Standard errors of learned tables theta = softmax(logits) from cases with missing cells: G = sum over cases of s s',
 * s the gradient of log p(case), is the information about all logits at once, less than that of whole cases; a prior
 * adds its own, and the covariance of theta is J (G + prior)^-1 J', J its derivative by the logits.
 */
final class TableErrors {

    /** Logits of a row may all move alike, which no table notices. */
    private static final double RIDGE = 1e-6;

    private TableErrors() {}

    static double[][] of(BayesianNetwork learned, List<int[]> cases, double prior) {
        int size = learned.nodes().stream().mapToInt(node -> node.table().length).sum();
        double[][] information = new double[size][size];
        NamedFactors model = NamedFactors.of(learned);
        Calibration calibration = JunctionTree.of(model.space(), model.factors(), Memory.available())
                .calibrationOfAll();
        int[] places = new int[size];
        double[] score = new double[size];
        for (int[] each : cases) {
            calibration.observe(each);
            int found = 0;
            int first = 0;
            for (int i = 0; i < learned.size(); i++) {
                double[] theta = learned.node(i).table();
                double[] expected = new double[theta.length];
                calibration.addPosterior(i, 1, expected);
                for (int e = 0; e < theta.length; e++) {
                    int row = e - e % learned.cardinality(i);
                    double sum = Node.sum(expected, row, learned.cardinality(i));
                    if (sum > 0) {
                        places[found] = first + e;
                        score[found++] = expected[e] - theta[e] * sum;
                    }
                }
                first += theta.length;
            }
            for (int a = 0; a < found; a++) {
                for (int b = 0; b < found; b++) {
                    information[places[a]][places[b]] += score[a] * score[b];
                }
            }
        }
        return errors(learned, information, prior);
    }

    private static double[][] errors(BayesianNetwork learned, double[][] information, double prior) {
        int first = 0;
        for (int i = 0; i < learned.size(); i++) {
            double[] theta = learned.node(i).table();
            for (int e = 0; e < theta.length; e++) {
                information[first + e][first + e] += RIDGE;
                for (int f = 0; f < theta.length; f++) {
                    information[first + e][first + f] += prior * learned.cardinality(i) * slope(learned, i, e, f);
                }
            }
            first += theta.length;
        }
        factorise(information);
        double[][] errors = new double[learned.size()][];
        first = 0;
        for (int i = 0; i < errors.length; i++) {
            errors[i] = new double[learned.node(i).table().length];
            for (int e = 0; e < errors[i].length; e++) {
                double[] slopes = new double[information.length];
                for (int f = 0; f < errors[i].length; f++) {
                    slopes[first + f] = slope(learned, i, e, f);
                }
                errors[i][e] = length(information, slopes);
            }
            first += errors[i].length;
        }
        return errors;
    }

    /** The derivative of one entry by the logit of another. */
    private static double slope(BayesianNetwork learned, int node, int entry, int logit) {
        double[] theta = learned.node(node).table();
        boolean sameRow = entry / learned.cardinality(node) == logit / learned.cardinality(node);
        return sameRow ? theta[entry] * ((entry == logit ? 1 : 0) - theta[logit]) : 0;
    }

    /** Cholesky's lower triangle in place of a matrix. */
    private static void factorise(double[][] matrix) {
        for (int j = 0; j < matrix.length; j++) {
            for (int i = j; i < matrix.length; i++) {
                for (int k = 0; k < j; k++) {
                    matrix[i][j] -= matrix[i][k] * matrix[j][k];
                }
                matrix[i][j] = i == j ? Math.sqrt(matrix[j][j]) : matrix[i][j] / matrix[j][j];
            }
        }
    }

    /** The root of v' (L L')^-1 v. */
    private static double length(double[][] lower, double[] v) {
        double sum = 0;
        for (int i = 0; i < v.length; i++) {
            for (int k = 0; k < i; k++) {
                v[i] -= lower[i][k] * v[k];
            }
            v[i] /= lower[i][i];
            sum += v[i] * v[i];
        }
        return Math.sqrt(sum);
    }
}
