package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Defects of ND4J's CUDA backend in 1.0.0-M2.1 that plans avoid; the profile emulated-gpu runs them. */
@DisabledIf("io.mdnf.graph.Backend#isCpu")
class KnownCudaDefectTest {

    /** 11, 12, 13, 14, computed on the device; the host's copy still has 1, 2, 3, 4. */
    private static INDArray computed() {
        INDArray all = Nd4j.createFromArray(1f, 2f, 3f, 4f).detach();
        assertThat(new Buffer(all).read()).containsExactly(1, 2, 3, 4);
        return all.addi(10);
    }

    @Test
    void setDataOnAViewMarksTheWholeHostCopyAsCurrent() {
        INDArray all = computed();
        all.get(NDArrayIndex.interval(2, 4)).data().setData(new float[] {5, 6});
        assertThat(new Buffer(all.add(0)).read()).as("on the device").containsExactly(11, 12, 5, 6);
        assertThat(new Buffer(all).read()).as("on the host").containsExactly(1, 2, 5, 6);
    }

    @Test
    void aBufferThatIsWrittenInPartKeepsTheRest() {
        INDArray all = computed();
        new Buffer(all).write(2, new float[] {5, 6}, 2);
        assertThat(new Buffer(all.add(0)).read()).as("on the device").containsExactly(11, 12, 5, 6);
        assertThat(new Buffer(all).read()).as("on the host").containsExactly(11, 12, 5, 6);
    }

    @Test
    void copyingOneNumberIntoAPartSendsTheWholeHostCopy() {
        INDArray all = computed();
        NativeCall.of("identity", new INDArray[] {Nd4j.createFromArray(5f).detach()},
                new INDArray[] {all.get(NDArrayIndex.interval(2, 3))}).run();
        assertThat(new Buffer(all).read()).as("11, 12 and 14 are lost").containsExactly(1, 2, 5, 4);
    }

    /** Gradients by hand: of a, of -b, of c times the sum of w, and of a sum of squares. */
    @Test
    void gradientsOfSingleNumbersAndJoinedNumbersLeaveTheOthers() {
        Graph g = new Graph(Precision.DOUBLE);
        Tensor a = g.parameter(new Parameter("a", Initialiser.normal(0.7), 1));
        Tensor w = g.parameter(new Parameter("w", Initialiser.normal(0.7), 3));
        Tensor b = g.parameter(new Parameter("b", Initialiser.normal(0.7), 1, 1));
        Tensor c = g.parameter(new Parameter("c", Initialiser.normal(0.7), 1));
        Tensor product = c.repeatAt(0, 3).reshape(3).times(w).sum().reshape(1);
        Tensor loss = w.times(w).sum().reshape(1).plus(a).minus(b.reshape(1)).plus(product).sum();
        Tensor joined = Tensor.concat(0, w.times(w), a, product);
        try (ExecutionPlan plan = ExecutionPlan.compile(g, loss, joined)) {
            plan.load(new double[] {1, 2, 3, 4, 5, 6});
            plan.run();
            assertThat(plan.gradients()).containsExactly(1, 10, 12, 14, -1, 9);
            assertThat(plan.read(joined)).containsExactly(4, 9, 16, 1, 54);
            assertThat(plan.loss()).isEqualTo(79);
        }
    }
}
