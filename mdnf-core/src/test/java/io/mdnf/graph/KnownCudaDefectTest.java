package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** A defect of ND4J's CUDA backend in 1.0.0-M2.1 that {@link Buffer} avoids; the profile emulated-gpu runs it. */
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
}
