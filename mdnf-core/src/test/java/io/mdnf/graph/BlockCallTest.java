package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.BlockStep.Kind;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

@EnabledIf(value = "io.mdnf.graph.Backend#isCpu",
        disabledReason = "blocks of plain Java are for arrays in the host's memory")
class BlockCallTest {

    /** More than one block, and no whole number of them. */
    private static final int ROWS = 1500;

    private static INDArray array(float[] values) {
        return Nd4j.createFromArray(values);
    }

    private static float[] normal(String name, int length, double scale) {
        double[] drawn = new Draws(Seed.of(3)).normal(name, length);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) (scale * drawn[i]);
        }
        return values;
    }

    private static float[] run(Kind kind, int in, int out, float[] a) {
        INDArray output = array(new float[a.length / in * out]);
        BlockStep step = new BlockStep(kind, new INDArray[] {array(a)}, output, in, out, 0);
        new BlockCall(List.of(step), Set.of(BlockCall.address(output))).run();
        return output.toFloatVector();
    }

    private static void assertCloseTo(DoubleUnaryOperator truth, float[] at, float[] found) {
        for (int i = 0; i < at.length; i++) {
            float exact = (float) truth.applyAsDouble(at[i]);
            assertThat(found[i]).as("at %s", at[i]).isCloseTo(exact, within(2 * Math.ulp(exact)));
        }
    }

    @Test
    void exponentialsAndLogarithmsAreRightToTwoUnitsOfTheLastPlace() {
        float[] x = normal("x", ROWS * 4, 20);
        assertCloseTo(Math::exp, x, run(Kind.EXP, 1, 1, x));
        float[] y = run(Kind.EXP, 1, 1, normal("y", ROWS * 4, 20));
        assertCloseTo(Math::log, y, run(Kind.LOG, 1, 1, y));
    }

    @Test
    void exponentialsAndLogarithmsKeepTheirLimits() {
        float[] edges = {-1e6f, Float.NEGATIVE_INFINITY, 0, 1000, Float.NaN};
        assertThat(run(Kind.EXP, 1, 1, edges)).containsExactly(0, 0, 1, Float.POSITIVE_INFINITY, Float.NaN);
        float[] small = {0, 1e-40f, -1, Float.POSITIVE_INFINITY, 1};
        assertThat(run(Kind.LOG, 1, 1, small)).containsExactly(Float.NEGATIVE_INFINITY, (float) Math.log(1e-40f),
                Float.NaN, Float.POSITIVE_INFINITY, 0);
        assertThat(run(Kind.IS_POSITIVE, 1, 1, new float[] {-1, -0f, 0, 1e-45f, 7})).containsExactly(0, 0, 0, 1, 1);
    }

    @Test
    void sigmoidsSoftplusAndSoftmaxEqualPlainLoops() {
        float[] x = normal("x", ROWS * 4, 20);
        float[] sigmoid = run(Kind.SIGMOID, 1, 1, x);
        float[] softplus = run(Kind.SOFTPLUS, 1, 1, x);
        float[] softmax = run(Kind.SOFTMAX, 4, 4, x);
        for (int i = 0; i < x.length; i++) {
            double truth = 1 / (1 + Math.exp(-x[i]));
            assertThat(sigmoid[i]).isCloseTo((float) truth, within((float) (4e-7 * truth)));
            assertThat(softplus[i]).isCloseTo((float) (Math.max(0, x[i]) + Math.log1p(Math.exp(-Math.abs(x[i])))),
                    within(2e-7f * Math.max(1, x[i])));
            double sum = 0;
            for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++) {
                sum += Math.exp(x[j] - x[i]);
            }
            assertThat(softmax[i]).isCloseTo((float) (1 / sum), within(4e-7f));
        }
        assertThat(run(Kind.SIGMOID, 1, 1, new float[] {-1e6f, 1e6f, 0, Float.NaN})).containsExactly(0, 1, .5f,
                Float.NaN);
        assertThat(run(Kind.SOFTPLUS, 1, 1, new float[] {-1e6f, 1e6f, Float.NaN})).containsExactly(0, 1e6f, Float.NaN);
        assertThat(run(Kind.SOFTMAX, 2, 2, new float[] {-1e6f, -1e6f, 3e38f, 0})).containsExactly(.5f, .5f, 1, 0);
    }

    @Test
    void productsEqualPlainLoops() {
        for (int transposed = 0; transposed < 4; transposed++) {
            boolean left = transposed % 2 == 1;
            boolean right = transposed / 2 == 1;
            INDArray x = array(normal("x", 3 * 5 * 4, 1)).reshape('c', 3, left ? 4 : 5, left ? 5 : 4);
            INDArray y = array(normal("y", 3 * 4 * 7, 1)).reshape('c', 3, right ? 7 : 4, right ? 4 : 7);
            INDArray z = array(new float[3 * 5 * 7]).reshape('c', 3, 5, 7);
            ProductCall.of(x, left, y, right, z).run();
            for (int b = 0; b < 3; b++) {
                for (int i = 0; i < 5; i++) {
                    for (int j = 0; j < 7; j++) {
                        double sum = 0;
                        for (int k = 0; k < 4; k++) {
                            sum += x.getDouble(b, left ? k : i, left ? i : k)
                                    * y.getDouble(b, right ? j : k, right ? k : j);
                        }
                        assertThat(z.getDouble(b, i, j)).isCloseTo(sum, within(1e-6));
                    }
                }
            }
        }
        INDArray row = array(new float[4]).reshape(1, 4);
        assertThat(ProductCall.of(row, false, row, true, array(new float[1]).reshape(1, 1))).isNull();
    }

    @Test
    void rowSumsAndCodesEqualPlainLoops() {
        for (int in = 1; in <= 5; in++) {
            float[] a = normal("a", ROWS * in, 1);
            float[] codes = run(Kind.ARGMAX_ONE_HOT, in, in, a);
            for (int out = 1; out <= 5; out++) {
                float[] sums = run(Kind.ROW_SUMS, in, out, a);
                for (int row = 0; row < ROWS; row++) {
                    double sum = 0;
                    int largest = row * in;
                    for (int i = row * in; i < row * in + in; i++) {
                        sum += a[i];
                        largest = a[i] > a[largest] ? i : largest;
                    }
                    assertThat(sums[row * out + out - 1]).isCloseTo((float) sum, within(2e-6f));
                    assertThat(codes[largest]).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void productsWithSmallConstantsEqualPlainLoops() {
        for (int in = 1; in <= 4; in++) {
            for (int out = 1; out <= 4; out++) {
                float[] x = normal("x", ROWS * in, 1);
                float[] drawn = normal("m", in * out, 1);
                // some entries are 0, and one column may be all 0
                float[] entries = new float[in * out];
                for (int i = 0; i < entries.length; i++) {
                    entries[i] = i % 3 == 1 && out > 1 ? 0 : drawn[i];
                }
                for (boolean transposed : new boolean[] {false, true}) {
                    INDArray matrix = array(entries).reshape(transposed ? new long[] {out, in} : new long[] {in, out});
                    INDArray output = array(new float[ROWS * out]);
                    BlockStep step = new BlockStep(Kind.PRODUCT, new INDArray[] {array(x)}, output, in, out, 0,
                            ShortProduct.of(matrix, transposed));
                    new BlockCall(List.of(step), Set.of(BlockCall.address(output))).run();
                    for (int at = 0; at < ROWS * out; at++) {
                        double sum = 0;
                        for (int i = 0; i < in; i++) {
                            sum += x[at / out * in + i] * matrix.getDouble(transposed ? at % out : i,
                                    transposed ? i : at % out);
                        }
                        assertThat(output.getFloat(at)).isCloseTo((float) sum, within(1e-5f));
                    }
                }
            }
        }
        assertThat(ShortProduct.of(array(new float[25]).reshape(5, 5).addi(1), false)).isNull();
    }

    @Test
    void stepsThatOnlyPassValuesOnAreNotStored() {
        INDArray a = array(normal("a", ROWS * 3, 1));
        INDArray between = array(new float[ROWS * 3]);
        INDArray output = array(new float[ROWS]);
        List<BlockStep> steps = List.of(
                new BlockStep(Kind.MULTIPLY, new INDArray[] {a, a}, between, 1, 1, 0),
                new BlockStep(Kind.ROW_SUMS, new INDArray[] {between}, output, 3, 1, 0));
        new BlockCall(steps, Set.of(BlockCall.address(output))).run();
        assertThat(between.toFloatVector()).containsOnly(0);
        float[] values = a.toFloatVector();
        float[] sums = output.toFloatVector();
        for (int row = 0; row < ROWS; row++) {
            float sum = 0;
            for (int i = 3 * row; i < 3 * row + 3; i++) {
                sum += values[i] * values[i];
            }
            assertThat(sums[row]).isEqualTo(sum);
        }
    }
}
