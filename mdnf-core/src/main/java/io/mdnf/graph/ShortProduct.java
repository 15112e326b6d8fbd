package io.mdnf.graph;

import java.util.stream.IntStream;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Products of short rows with one small constant matrix, most of it 0, as a step of blocks: out_k is the sum over i of
 * x_i m_ik, and only the m_ik that are not 0 are added. Modular arithmetic is made of them.
 *
 * @param from for each output, the inputs that are added
 * @param factors what each is multiplied by
 */
record ShortProduct(int[][] from, float[][] factors) {

    /** Entries other than 0 up to which this is faster than a product of matrices. */
    private static final int MOST = 16;

    /** The product with a matrix, transposed or not; null if it has too many entries. */
    static ShortProduct of(INDArray matrix, boolean transposed) {
        if (matrix.rank() != 2 || matrix.length() > MOST * MOST) {
            return null;
        }
        float[][] m = (transposed ? matrix.transpose() : matrix).toFloatMatrix();
        int[][] from = IntStream.range(0, m[0].length)
                .mapToObj(k -> IntStream.range(0, m.length).filter(i -> m[i][k] != 0).toArray()).toArray(int[][]::new);
        float[][] factors = new float[from.length][];
        int entries = 0;
        for (int k = 0; k < from.length; k++) {
            factors[k] = new float[from[k].length];
            for (int j = 0; j < from[k].length; j++) {
                factors[k][j] = m[from[k][j]][k];
            }
            entries += from[k].length;
        }
        return entries > MOST ? null : new ShortProduct(from, factors);
    }

    /** Products of rows [in] into rows [out]. */
    void apply(float[] x, int in, float[] o, int out, int rows) {
        if (in == 1 && out == 2 && from[0].length + from[1].length == 2) {
            toPairs(x, factors[0][0], factors[1][0], o, rows);
            return;
        }
        if (in == 2 && out == 1 && from[0].length == 2) {
            ofPairs(x, factors[0][0], factors[0][1], o, rows);
            return;
        }
        for (int k = 0; k < out; k++) {
            int[] f = from[k];
            float[] c = factors[k];
            if (f.length == 0) {
                one(x, 0, in, 0, o, k, out, rows);
            } else if (f.length == 1) {
                one(x, f[0], in, c[0], o, k, out, rows);
            } else {
                two(x, f[0], f[1], in, c[0], c[1], o, k, out, rows);
                for (int j = 2; j < f.length; j++) {
                    more(x, f[j], in, c[j], o, k, out, rows);
                }
            }
        }
    }

    // with strides that are known no bounds are checked

    private static void toPairs(float[] x, float c, float d, float[] o, int rows) {
        for (int row = 0; row < rows; row++) {
            float value = x[row];
            o[2 * row] = c * value;
            o[2 * row + 1] = d * value;
        }
    }

    private static void ofPairs(float[] x, float c, float d, float[] o, int rows) {
        for (int row = 0; row < rows; row++) {
            o[row] = c * x[2 * row] + d * x[2 * row + 1];
        }
    }

    private static void one(float[] x, int i, int in, float c, float[] o, int k, int out, int rows) {
        for (int row = 0; row < rows; row++) {
            o[row * out + k] = c * x[row * in + i];
        }
    }

    private static void two(float[] x, int i, int j, int in, float c, float d, float[] o, int k, int out, int rows) {
        for (int row = 0; row < rows; row++) {
            o[row * out + k] = c * x[row * in + i] + d * x[row * in + j];
        }
    }

    private static void more(float[] x, int i, int in, float c, float[] o, int k, int out, int rows) {
        for (int row = 0; row < rows; row++) {
            o[row * out + k] += c * x[row * in + i];
        }
    }
}
