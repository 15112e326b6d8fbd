package io.mdnf.graph;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;

/**
 * A product of matrices of floats, batched over leading axes, by OpenBLAS itself: ND4J's operation calls the same
 * routine, but spends a microsecond on every matrix, as long as a small product takes.
 */
final class ProductCall implements Runnable {

    private static final int ROW_MAJOR = 101;
    private static final int PLAIN = 111;
    private static final int TRANSPOSED = 112;
    /** ND4J's OpenBLAS, which it keeps for itself; null where the backend has none. */
    private static final MethodHandle SGEMM = sgemm();

    private final FloatPointer[] x;
    private final FloatPointer[] y;
    private final FloatPointer[] z;
    private final int transposeX;
    private final int transposeY;
    private final int m;
    private final int n;
    private final int k;
    private final int xColumns;
    private final int yColumns;

    private ProductCall(INDArray x, boolean transposeX, INDArray y, boolean transposeY, INDArray z) {
        this.x = matrices(x);
        this.y = matrices(y);
        this.z = matrices(z);
        this.transposeX = transposeX ? TRANSPOSED : PLAIN;
        this.transposeY = transposeY ? TRANSPOSED : PLAIN;
        this.m = (int) z.size(-2);
        this.n = (int) z.size(-1);
        this.k = (int) x.size(transposeX ? -2 : -1);
        this.xColumns = (int) x.size(-1);
        this.yColumns = (int) y.size(-1);
    }

    /** The product z = x y, each of x and y transposed or not; null if ND4J's own serves better. */
    static ProductCall of(INDArray x, boolean transposeX, INDArray y, boolean transposeY, INDArray z) {
        // what is a row or a column is no matter of this routine
        return serves(x, y, z) && Math.min(z.size(-1), z.size(-2)) > 1 && x.size(transposeX ? -2 : -1) > 1
                ? new ProductCall(x, transposeX, y, transposeY, z) : null;
    }

    /** Whether an operation is a product of matrices, which are transposed before it or not, but not afterwards. */
    static boolean isPlain(DynamicCustomOp operation, INDArray[] inputs) {
        long[] how = operation.iArgs();
        return operation.opName().equals("matmul") && how.length == 3 && how[2] == 0 && areMatrices(inputs);
    }

    /** Whether none is a vector. */
    static boolean areMatrices(INDArray... arrays) {
        return Arrays.stream(arrays).allMatch(array -> array.rank() >= 2);
    }

    /** Whether arrays are matrices of floats, row by row, equally many each. */
    static boolean serves(INDArray... arrays) {
        boolean serves = SGEMM != null && Backend.isHost();
        for (INDArray array : arrays) {
            serves &= array.rank() >= 2 && array.dataType() == DataType.FLOAT && !array.isEmpty()
                    && !Shapes.isStrided(array) && count(array) == count(arrays[0]);
        }
        return serves;
    }

    private static int count(INDArray array) {
        return (int) (array.length() / (array.size(-1) * array.size(-2)));
    }

    private static FloatPointer[] matrices(INDArray array) {
        return IntStream.range(0, count(array))
                .mapToObj(i -> new FloatPointer(array.data().addressPointer())
                        .position(i * array.size(-1) * array.size(-2)))
                .toArray(FloatPointer[]::new);
    }

    private static MethodHandle sgemm() {
        try {
            return MethodHandles.publicLookup().findStatic(
                    Class.forName("org.bytedeco.openblas.global.openblas_nolapack"), "cblas_sgemm",
                    methodType(void.class, int.class, int.class, int.class, int.class, int.class, int.class,
                            float.class, FloatPointer.class, int.class, FloatPointer.class, int.class, float.class,
                            FloatPointer.class, int.class));
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < z.length; i++) {
                SGEMM.invokeExact(ROW_MAJOR, transposeX, transposeY, m, n, k, 1f, x[i], xColumns, y[i], yColumns, 0f,
                        z[i], n);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("a product of matrices failed", e);
        }
    }
}
