package io.mdnf.uai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damaged files: 2,000 random mutations of random ones, always the same ones. */
class UaiMutationTest {

    private static final List<String> PIECES = List.of(" ", "\n", "\r", "\u0000", "MARKOV", "BAYES", "MAR", "PR",
            "999999999", "9999999999", "1e400", "-1", "NaN", "0", "1", "\u00e9", ".", "e");

    @Test
    @Tag("slow")
    void damagedFilesAreRefusedWithTheReadersOwnExceptionOrRoundTrip() {
        Random random = new Random(4);
        int refused = 0;
        for (int trial = 0; trial < 2000; trial++) {
            UaiModel model = RandomModels.model(random);
            String text = switch (trial % 4) {
                case 0 -> UaiWriter.evidence(RandomModels.evidence(random, model));
                case 1 -> "MAR\n2 2 .25 .75 3 0 0 1\n";
                default -> UaiWriter.model(model);
            };
            byte[] damaged = mutate(random, text).getBytes(StandardCharsets.UTF_8);
            refused += Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10),
                    () -> UaiFuzzTest.Damaged.readOrRefuse(damaged, "damaged.uai"));
        }
        // three of four readers never fit, 6,000 in all; most damage must be noticed by the fourth, for which only
        // blanks and digits can change harmlessly
        assertThat(refused - 6000).isBetween(1500, 1990);
    }

    private static String mutate(Random random, String text) {
        StringBuilder damaged = new StringBuilder(text);
        for (int change = random.nextInt(3); change >= 0 && damaged.length() > 0; change--) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(8));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> damaged.delete(at, end);
                case 1 -> damaged.insert(at, piece);
                case 2 -> damaged.replace(at, end, piece);
                default -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
            }
        }
        return damaged.toString();
    }
}
