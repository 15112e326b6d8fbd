package io.mdnf.uai;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/**
 * Runs over the seed files beside it as an ordinary test; with {@code JAZZER_FUZZ=1} in the environment it looks for
 * new ones.
 */
@Tag("slow")
class UaiFuzzTest {

    @FuzzTest(maxDuration = "3m")
    void nothingButTheReadersExceptionEscapes(byte[] bytes) {
        Damaged.readOrRefuse(bytes, "fuzz.uai");
    }

    /** What every damaged file must come to, whatever it is read as. */
    static final class Damaged {

        private static final UaiModel MODEL = UaiReader.model("MARKOV 3 2 3 2 1 1 0 2 1 1".getBytes(
                StandardCharsets.UTF_8), "three");

        private Damaged() {
        }

        /** Returns how many of the four readers refused. */
        static int readOrRefuse(byte[] bytes, String source) {
            return refused(source, () -> {
                UaiModel model = UaiReader.model(bytes, source);
                assertThat(UaiReader.model(UaiWriter.model(model).getBytes(StandardCharsets.UTF_8), "again"))
                        .isEqualTo(model);
            }) + refused(source, () -> UaiReader.evidence(bytes, source, MODEL))
                    + refused(source, () -> UaiReader.marginals(bytes, source))
                    + refused(source, () -> UaiReader.logPartition(bytes, source));
        }

        private static int refused(String source, Runnable reading) {
            try {
                reading.run();
                return 0;
            } catch (UaiException e) {
                assertThat(e.getMessage()).startsWith(source + ":").doesNotContain("\n").hasSizeLessThan(2000);
                return 1;
            }
        }
    }
}
