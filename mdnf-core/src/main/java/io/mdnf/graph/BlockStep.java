package io.mdnf.graph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * One operation that a {@link BlockCall} makes on blocks of floats: element by element, or within short rows.
 *
 * @param in elements of a row of the inputs; 1 for what is element-wise
 * @param out elements of a row of the output
 * @param number of an operation with a fixed number, else 0
 * @param matrix of a product of rows, else null
 */
record BlockStep(Kind kind, INDArray[] inputs, INDArray output, int in, int out, float number, ShortProduct matrix) {

    /** What is computed. */
    enum Kind {
        ADD, SUBTRACT, MULTIPLY, DIVIDE, DIVISOR_GRADIENT, NEGATE, ADD_NUMBER, MULTIPLY_NUMBER, EXP, LOG, IS_POSITIVE,
        SIGMOID, SOFTPLUS,
        /** Each row [in] becomes its softmax. */
        SOFTMAX,
        /** Each row [in] becomes its sum, [out] times: a sum, a repetition, or both. */
        ROW_SUMS,
        /** Each row [in] becomes a row [out] by a small constant matrix. */
        PRODUCT,
        /** Each row [in] becomes the one-hot code of its largest entry, the first one on ties. */
        ARGMAX_ONE_HOT }

    BlockStep(Kind kind, INDArray[] inputs, INDArray output, int in, int out, float number) {
        this(kind, inputs, output, in, out, number, null);
    }

    /** How many rows this step has. */
    long rows() {
        return output.length() / out;
    }

    /** The inputs, then the output. */
    List<INDArray> arrays() {
        return Stream.concat(Arrays.stream(inputs), Stream.of(output)).toList();
    }

    /** The length of the longest input or output. */
    long longest() {
        return arrays().stream().mapToLong(INDArray::length).max().orElseThrow();
    }

    /** Computes n elements of the output; unused operands are null. */
    void apply(float[] a, float[] b, float[] c, float[] o, int n, Scratch scratch) {
        switch (kind) {
            case ADD -> add(a, b, o, n);
            case SUBTRACT -> subtract(a, b, o, n);
            case MULTIPLY -> multiply(a, b, o, n);
            case DIVIDE -> divide(a, b, o, n);
            case DIVISOR_GRADIENT -> divisorGradient(a, b, c, o, n);
            case NEGATE -> multiply(a, -1, o, n);
            case ADD_NUMBER -> add(a, number, o, n);
            case MULTIPLY_NUMBER -> multiply(a, number, o, n);
            case EXP -> scratch.exp(a, o, n);
            case LOG -> scratch.log(a, o, n);
            case IS_POSITIVE -> isPositive(a, o, n);
            case SIGMOID -> scratch.sigmoid(a, o, n);
            case SOFTPLUS -> scratch.softplus(a, o, n);
            case SOFTMAX -> scratch.softmax(a, o, in, n);
            case ROW_SUMS -> rowSums(a, in, o, out, n / out, scratch.t);
            case PRODUCT -> matrix.apply(a, in, o, out, n / out);
            default -> argmax(a, o, in, n / out);
        }
    }

    static void add(float[] a, float[] b, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] + b[i];
        }
    }

    private static void subtract(float[] a, float[] b, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] - b[i];
        }
    }

    private static void multiply(float[] a, float[] b, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] * b[i];
        }
    }

    private static void divide(float[] a, float[] b, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] / b[i];
        }
    }

    /** The gradient of x / y by y, where that of the quotient is g: -g x / y^2. */
    private static void divisorGradient(float[] x, float[] y, float[] g, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = -g[i] * x[i] / (y[i] * y[i]);
        }
    }

    private static void add(float[] a, float number, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] + number;
        }
    }

    private static void multiply(float[] a, float number, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            o[i] = a[i] * number;
        }
    }

    private static void isPositive(float[] a, float[] o, int n) {
        for (int i = 0; i < n; i++) {
            // without a branch, which would be guessed wrong half the time; twice, for subnormal numbers
            o[i] = Math.min(1, Math.max(0, a[i]) * 1e38f * 1e38f);
        }
    }

    private static void rowSums(float[] a, int in, float[] o, int out, int rows, float[] sums) {
        float[] s = in == 1 ? a : out == 1 ? o : sums;
        if (in == 2) {
            for (int row = 0; row < rows; row++) {
                s[row] = a[2 * row] + a[2 * row + 1];
            }
        } else if (in == 4) {
            for (int row = 0; row < rows; row++) {
                s[row] = a[4 * row] + a[4 * row + 1] + (a[4 * row + 2] + a[4 * row + 3]);
            }
        } else if (in > 1) {
            for (int row = 0; row < rows; row++) {
                float sum = 0;
                for (int i = row * in; i < row * in + in; i++) {
                    sum += a[i];
                }
                s[row] = sum;
            }
        }
        if (out > 1 || in == 1) {
            repeat(s, o, out, rows);
        }
    }

    private static void repeat(float[] s, float[] o, int out, int rows) {
        if (out == 4) {
            for (int row = 0; row < rows; row++) {
                float value = s[row];
                o[4 * row] = value;
                o[4 * row + 1] = value;
                o[4 * row + 2] = value;
                o[4 * row + 3] = value;
            }
            return;
        }
        for (int row = 0; row < rows; row++) {
            float value = s[row];
            for (int i = row * out; i < row * out + out; i++) {
                o[i] = value;
            }
        }
    }

    private static void argmax(float[] a, float[] o, int width, int rows) {
        for (int row = 0; row < rows; row++) {
            int start = row * width;
            int largest = start;
            for (int i = start; i < start + width; i++) {
                o[i] = 0;
                largest = a[i] > a[largest] ? i : largest;
            }
            o[largest] = 1;
        }
    }

    /**
     * Exponentials and logarithms to within 2 units of the last place. Java cannot take the bits of a float in a loop
     * that uses vectors, but it can copy a block of floats into a block of ints.
     */
    static final class Scratch {

        private static final float LOG2_E = 1.44269504f;
        /** ln 2 in two parts: products with the first by a small integer are exact. */
        private static final float LN2_HIGH = 0.693359375f;
        private static final float LN2_LOW = -2.12194440e-4f;
        /** Added to a float it leaves the nearest integer in the last bits. */
        private static final float ROUND = 12582912f;
        private static final int ROUND_BITS = 0x4B400000;

        private final FloatBuffer floats;
        private final IntBuffer ints;
        private final float[] t;
        private final int[] bits;
        private final int[] exponents;

        Scratch(int length) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(4 * length).order(ByteOrder.nativeOrder());
            floats = bytes.asFloatBuffer();
            ints = bytes.asIntBuffer();
            t = new float[length];
            bits = new int[length];
            exponents = new int[length];
        }

        /**
         * 2^k e^f with k the nearest integer to a / ln 2; 0 where the result would have fewer than 24 bits, infinite
         * from 2^127.5 on.
         */
        void exp(float[] a, float[] o, int n) {
            for (int i = 0; i < n; i++) {
                t[i] = Math.min(89f, Math.max(-88f, a[i])) * LOG2_E + ROUND;
            }
            floats.put(0, t, 0, n);
            ints.get(0, bits, 0, n);
            for (int i = 0; i < n; i++) {
                bits[i] = bits[i] - ROUND_BITS + 127 << 23;
            }
            ints.put(0, bits, 0, n);
            for (int i = 0; i < n; i++) {
                float k = t[i] - ROUND;
                float f = Math.min(89f, Math.max(-88f, a[i])) - k * LN2_HIGH - k * LN2_LOW;
                t[i] = (((((1.9875691500e-4f * f + 1.3981999507e-3f) * f + 8.3334519073e-3f) * f + 4.1665795894e-2f) * f
                        + 1.6666665459e-1f) * f + 5.0000001201e-1f) * f * f + f + 1;
            }
            floats.get(0, o, 0, n);
            multiply(t, o, o, n);
        }

        /** 1 / (1 + e^-a). */
        void sigmoid(float[] a, float[] o, int n) {
            multiply(a, -1, o, n);
            exp(o, o, n);
            for (int i = 0; i < n; i++) {
                o[i] = 1 / (1 + o[i]);
            }
        }

        /** max(a, 0) + log(1 + e^-|a|). */
        void softplus(float[] a, float[] o, int n) {
            for (int i = 0; i < n; i++) {
                o[i] = -Math.abs(a[i]);
            }
            exp(o, o, n);
            add(o, 1, o, n);
            log(o, o, n);
            for (int i = 0; i < n; i++) {
                o[i] += Math.max(0, a[i]);
            }
        }

        void softmax(float[] a, float[] o, int width, int n) {
            for (int start = 0; start < n; start += width) {
                float most = a[start];
                for (int i = start + 1; i < start + width; i++) {
                    most = Math.max(most, a[i]);
                }
                for (int i = start; i < start + width; i++) {
                    o[i] = a[i] - most;
                }
            }
            exp(o, o, n);
            for (int start = 0; start < n; start += width) {
                float sum = 0;
                for (int i = start; i < start + width; i++) {
                    sum += o[i];
                }
                for (int i = start; i < start + width; i++) {
                    o[i] /= sum;
                }
            }
        }

        /** k ln 2 + log m with a = 2^k m, m from sqrt(1/2) to sqrt(2). */
        void log(float[] a, float[] o, int n) {
            floats.put(0, a, 0, n);
            ints.get(0, bits, 0, n);
            int outside = 0;
            for (int i = 0; i < n; i++) {
                // negative, 0, subnormal, infinite or no number: not both differences keep their sign
                outside |= bits[i] - 0x00800000 | 0x7F7FFFFF - bits[i];
            }
            if (outside < 0) {
                for (int i = 0; i < n; i++) {
                    o[i] = (float) Math.log(a[i]);
                }
                return;
            }
            for (int i = 0; i < n; i++) {
                bits[i] = (bits[i] - 0x3F3504F3 >> 23) + ROUND_BITS;
            }
            ints.put(0, bits, 0, n);
            floats.get(0, t, 0, n);
            floats.put(0, a, 0, n);
            logOfParts(a, o, n);
        }

        private void logOfParts(float[] a, float[] o, int n) {
            int[] whole = exponents;
            System.arraycopy(bits, 0, whole, 0, n);
            ints.get(0, bits, 0, n);
            for (int i = 0; i < n; i++) {
                bits[i] = bits[i] - (whole[i] - ROUND_BITS << 23);
            }
            ints.put(0, bits, 0, n);
            floats.get(0, o, 0, n);
            for (int i = 0; i < n; i++) {
                float k = t[i] - ROUND;
                float x = o[i] - 1;
                float y = ((((((((7.0376836292e-2f * x - 1.1514610310e-1f) * x + 1.1676998740e-1f) * x
                        - 1.2420140846e-1f) * x + 1.4249322787e-1f) * x - 1.6668057665e-1f) * x + 2.0000714765e-1f) * x
                        - 2.4999993993e-1f) * x + 3.3333331174e-1f) * x * x * x + k * LN2_LOW;
                o[i] = k * LN2_HIGH + (x + (y - 0.5f * x * x));
            }
        }
    }
}
