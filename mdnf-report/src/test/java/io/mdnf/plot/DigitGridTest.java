package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import org.junit.jupiter.api.Test;

class DigitGridTest {
    @Test
    void everyPixelStandsWhereItBelongs() {
        DigitGrid grid = new DigitGrid(2, 2, 3, 2, 1);
        float[] images = new float[3 * 6];
        for (int i = 0; i < images.length; i++) {
            images[i] = i / 17f;
        }
        BufferedImage picture = grid.draw(images).decode();
        // Two columns of 3 x 2 pixels and three gaps; two rows of 2 x 2 and three gaps.
        assertThat(picture.getWidth()).isEqualTo(2 * 6 + 3);
        assertThat(picture.getHeight()).isEqualTo(2 * 4 + 3);
        Raster raster = picture.getRaster();
        for (int i = 0; i < 3; i++) {
            for (int y = 0; y < 4; y++) {
                for (int x = 0; x < 6; x++) {
                    int expected = Math.round(images[i * 6 + y / 2 * 3 + x / 2] * 255);
                    assertThat(raster.getSample(1 + i % 2 * 7 + x, 1 + i / 2 * 5 + y, 0)).isEqualTo(expected);
                }
            }
        }
        // The fourth place is empty and looks like the gaps.
        assertThat(raster.getSample(10, 8, 0)).isEqualTo(raster.getSample(0, 0, 0));
    }

    @Test
    void valuesOutsideTheRangeAreClippedAndNanIsRefused() {
        DigitGrid grid = new DigitGrid(1, 1, 2, 1, 0);
        Raster raster = grid.draw(new float[] {-3, 1.5f}).decode().getRaster();
        assertThat(raster.getSample(0, 0, 0)).isZero();
        assertThat(raster.getSample(1, 0, 0)).isEqualTo(255);
        assertThatThrownBy(() -> grid.draw(new float[] {0, Float.NaN})).hasMessageContaining("pixel 1 is NaN");
        assertThatThrownBy(() -> grid.draw(new float[3])).hasMessageContaining("there are 3 pixels");
        assertThatThrownBy(() -> grid.draw(new float[0])).hasMessageContaining("there are 0 pixels");
        assertThatThrownBy(() -> new DigitGrid(0, 28, 28, 2, 2)).hasMessageContaining("columns 0");
    }

    @Test
    void everyRowOfPairsStandsOverThatOfItsPartners() {
        BufferedImage picture = new DigitGrid(2, 1, 1, 1, 0).drawPairs(new float[] {0, 0.2f, 0.4f},
                new float[] {0.6f, 0.8f, 1}).decode();
        int[] greys = picture.getRaster().getPixels(0, 0, 2, 4, (int[]) null);
        // 96 is the grey of a place without an image
        assertThat(greys).containsExactly(0, 51, 153, 204, 102, 96, 255, 96);
    }
}
