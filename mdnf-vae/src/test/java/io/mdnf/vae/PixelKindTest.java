package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Seed;
import org.junit.jupiter.api.Test;

class PixelKindTest {
    private static DigitImages allShades() {
        byte[] shades = new byte[256];
        for (int v = 0; v < 256; v++) {
            shades[v] = (byte) v;
        }
        return DigitImages.of(1, 256, shades);
    }

    @Test
    void greyIsTheByteOver255() {
        float[] grey = batch(PixelKind.GREY, allShades(), Seed.of(1), 0);
        for (int v = 0; v < 256; v++) {
            assertThat(grey[v]).isEqualTo(v / 255f);
        }
    }

    @Test
    void thresholdOfOneHalfSplitsAt128() {
        float[] binary = batch(PixelKind.THRESHOLD, allShades(), Seed.of(1), 0);
        for (int v = 0; v < 256; v++) {
            // 127 / 255 < 0.5 < 128 / 255.
            assertThat(binary[v]).isEqualTo(v >= 128 ? 1f : 0f);
        }
    }

    @Test
    void dynamicBinarisationHasTheShadeAsItsProbability() {
        int draws = 20_000;
        int[] ones = new int[256];
        for (int i = 0; i < draws; i++) {
            float[] binary = batch(PixelKind.DYNAMIC, allShades(), Seed.of(i), 0);
            for (int v = 0; v < 256; v++) {
                ones[v] += binary[v] == 1 ? 1 : 0;
            }
        }
        assertThat(ones[0]).isZero();
        assertThat(ones[255]).isEqualTo(draws);
        for (float pixel : batch(PixelKind.DYNAMIC, allShades(), Seed.of(1), 0)) {
            assertThat(pixel).isIn(0f, 1f);
        }
        for (int v = 1; v < 255; v++) {
            double p = v / 255.0;
            // Five standard errors; 254 checks give a false alarm in 1 of 7,000 seeds at most.
            assertThat(Math.abs((double) ones[v] / draws - p)).isLessThan(5 * Math.sqrt(p * (1 - p) / draws));
        }
    }

    @Test
    void sameSeedSameBatch() {
        float[] one = batch(PixelKind.DYNAMIC, allShades(), Seed.of(3), 0, 0);
        assertThat(batch(PixelKind.DYNAMIC, allShades(), Seed.of(3), 0, 0)).isEqualTo(one);
        assertThat(batch(PixelKind.DYNAMIC, allShades(), Seed.of(4), 0, 0)).isNotEqualTo(one);
    }

    @Test
    void batchKeepsTheOrderOfTheIndices() {
        DigitImages images = DigitImages.of(1, 2, new byte[] {0, 51, 102, (byte) 153});
        assertThat(batch(PixelKind.GREY, images, Seed.of(1), 1, 0, 1))
                .containsExactly(0.4f, 0.6f, 0f, 0.2f, 0.4f, 0.6f);
        assertThatThrownBy(() -> batch(PixelKind.GREY, images, Seed.of(1), 2))
                .hasMessageContaining("Index 2 out of bounds for length 2");
        assertThatThrownBy(() -> DigitImages.of(2, 2, new byte[6])).hasMessageContaining("there are 6 pixels");
    }

    private static float[] batch(PixelKind kind, DigitImages images, Seed seed, int... indices) {
        float[] result = new float[indices.length * images.size()];
        kind.write(images, indices, 0, indices.length, seed, result);
        return result;
    }
}
