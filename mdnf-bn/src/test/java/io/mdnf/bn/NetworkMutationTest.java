package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged files: 2,000 random mutations of the built-in ones in each format with names, always the same ones. */
class NetworkMutationTest {

    private static final List<String> PIECES = List.of("{", "}", "(", ")", "[", "]", ";", ",", "|", "\"", "/*", "*/",
            "//", "\n", "\r", "\u0000", "table", "default", "property", "network", "variable", "probability", "type",
            "discrete", "states", "data", "%", "=", "<", ">", "<TABLE>", "</", "&", "&lt;", "<!--", "-->", "999999999",
            "1e400", "-1", "NaN", "yes", "\ud800", " ");

    @ParameterizedTest
    @EnumSource(names = {"BIF", "XMLBIF", "HUGIN"})
    @Tag("slow")
    void damagedFilesAreRefusedWithTheReadersOwnExceptionOrRoundTrip(NetworkFormat format) {
        Random random = new Random(4);
        int refused = 0;
        for (int trial = 0; trial < 2000; trial++) {
            // hepar2 is 60 kB: a few of those, mostly the small ones
            String name = BuiltInNetworks.names().get(trial % 50 == 0 ? 4 : trial % 4);
            String damaged = mutate(random, format.text(BuiltInNetworks.open(name)));
            refused += Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10),
                    () -> readOrRefuse(format, damaged));
        }
        // Most damage must be noticed: only blanks, names used once and comments can change harmlessly.
        assertThat(refused).isBetween(1500, 1990);
    }

    private static int readOrRefuse(NetworkFormat format, String damaged) throws IOException {
        try {
            BayesianNetwork network = format.parse(NetworkText.decoded(new ByteArrayInputStream(
                    damaged.getBytes(StandardCharsets.UTF_8)), "damaged"), "damaged");
            assertThat(format.parse(format.text(network), "again")).isEqualTo(network);
            return 0;
        } catch (NetworkFileException e) {
            assertThat(e.getMessage()).matches("damaged:[0-9]+:[0-9]+: .*").doesNotContain("\n").hasSizeLessThan(2000);
            return 1;
        }
    }

    private static String mutate(Random random, String text) {
        StringBuilder damaged = new StringBuilder(text);
        for (int change = random.nextInt(3); change >= 0; change--) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(8));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(5)) {
                case 0 -> damaged.delete(at, end);
                case 1 -> damaged.insert(at, piece);
                case 2 -> damaged.replace(at, end, piece);
                case 3 -> damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + 200)));
                default -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
            }
        }
        return damaged.toString();
    }
}
