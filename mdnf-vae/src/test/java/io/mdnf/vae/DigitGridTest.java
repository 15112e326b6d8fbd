package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigitGridTest {
    @TempDir
    private Path folder;

    @Test
    void everyPixelStandsWhereItBelongs() throws IOException {
        DigitGrid grid = new DigitGrid(2, 2, 3, 2, 1);
        float[] images = new float[3 * 6];
        for (int i = 0; i < images.length; i++) {
            images[i] = i / 17f;
        }
        Path file = folder.resolve("grid.png");
        grid.write(file, images);
        BufferedImage picture = ImageIO.read(file.toFile());
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
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void valuesOutsideTheRangeAreClippedAndNanIsRefused() {
        DigitGrid grid = new DigitGrid(1, 1, 2, 1, 0);
        Raster raster = grid.draw(new float[] {-3, 1.5f}).getRaster();
        assertThat(raster.getSample(0, 0, 0)).isZero();
        assertThat(raster.getSample(1, 0, 0)).isEqualTo(255);
        assertThatThrownBy(() -> grid.draw(new float[] {0, Float.NaN})).hasMessageContaining("pixel 1 is NaN");
        assertThatThrownBy(() -> grid.draw(new float[3])).hasMessageContaining("there are 3 pixels");
        assertThatThrownBy(() -> grid.draw(new float[0])).hasMessageContaining("there are 0 pixels");
        assertThatThrownBy(() -> DigitGrid.mnist(0)).hasMessageContaining("columns 0");
    }

    @Test
    void aFailedWriteLeavesTheOldPicture() throws IOException {
        Path file = folder.resolve("grid.png");
        DigitGrid grid = new DigitGrid(1, 1, 1, 1, 0);
        grid.write(file, new float[] {1});
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> grid.write(file, new float[] {Float.NaN})).hasMessageContaining("NaN");
        assertThat(file).hasBinaryContent(before);
    }
}
