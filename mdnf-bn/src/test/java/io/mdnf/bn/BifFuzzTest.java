package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/**
 * Runs over the seed files beside it as an ordinary test; with {@code JAZZER_FUZZ=1} in the environment it looks for
 * new ones.
 */
@Tag("slow")
class BifFuzzTest {

    @FuzzTest(maxDuration = "3m")
    void nothingButTheReadersExceptionEscapes(byte[] bytes) throws IOException {
        BayesianNetwork network;
        try {
            network = NetworkFormat.BIF.read(new ByteArrayInputStream(bytes), "fuzz.bif");
        } catch (NetworkFileException e) {
            assertThat(e.getMessage()).startsWith("fuzz.bif:");
            return;
        }
        assertThat(NetworkFormat.BIF.parse(BifWriter.text(network), "again")).isEqualTo(network);
    }
}
