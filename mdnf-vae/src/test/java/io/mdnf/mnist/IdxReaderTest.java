package io.mdnf.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.file.InvalidFileException;
import io.mdnf.vae.DigitImages;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class IdxReaderTest {
    @Test
    void imagesAndLabelsAreReadPlainAndPacked() throws IOException {
        byte[] content = TinyMnist.idx(3, 2, 4);
        for (byte[] bytes : new byte[][] {content, TinyMnist.gzip(content)}) {
            DigitImages images = images(bytes);
            assertThat(images.count()).isEqualTo(3);
            assertThat(images.height()).isEqualTo(2);
            assertThat(images.width()).isEqualTo(4);
            // Byte i of the data is 7 i mod 256; image 2 begins at byte 16.
            assertThat(images.toArray()[2 * images.size() + 5] & 0xff).isEqualTo(7 * 21);
            assertThat(images.first(2).toArray()).isEqualTo(Arrays.copyOfRange(content, 16, 32));
            assertThat(images.last(2).toArray()).isEqualTo(
                    Arrays.copyOfRange(content, content.length - 16, content.length));
        }
        assertThat(IdxReader.labels(TinyMnist.idx(4), "digits")).containsExactly(0, 7, 14, 21);
    }

    @Test
    void bytesAbove127AreBright() throws IOException {
        byte[] content = TinyMnist.idx(1, 1, 1);
        content[16] = (byte) 255;
        assertThat(images(content).toArray()[0] & 0xff).isEqualTo(255);
    }

    @Test
    void damagedFilesAreRefusedWithTheReason() throws IOException {
        byte[] good = TinyMnist.idx(3, 2, 4);
        assertRefused(new byte[0], "has 0 bytes; an IDX file has at least 4");
        assertRefused(changed(good, 0, '<'), "begins with 3c 00; an IDX file begins with 00 00");
        assertRefused(changed(good, 2, 13), "holds type 13; only 8");
        assertRefused(TinyMnist.idx(24), "has 1 dimensions; images have 3");
        assertRefused(Arrays.copyOf(good, 10), "ends within its header, after 10 bytes");
        assertRefused(Arrays.copyOf(good, 30), "has 14 bytes after its header, which says [3, 2, 4] = 24");
        assertRefused(Arrays.copyOf(good, 41), "has 25 bytes after its header");
        assertRefused(changed(good, 4, 0x80), "has size -2147483645 in dimension 0");
        assertRefused(changed(good, 11, 0), "has size 0 in dimension 1");
        // 2^31 - 1 three times overflows even a long; it must be refused, not wrap around.
        byte[] huge = good.clone();
        Arrays.fill(huge, 4, 16, (byte) 0xff);
        huge[4] = huge[8] = huge[12] = 0x7f;
        assertRefused(huge, "has 24 bytes after its header");
        byte[] packed = TinyMnist.gzip(good);
        assertRefused(Arrays.copyOf(packed, packed.length - 6), "the gzip data are damaged or cut short");
        assertThatThrownBy(() -> IdxReader.labels(good, "digits")).hasMessageContaining("labels have 1");
    }

    @Test
    void unpackingStopsAtTheLimit() throws IOException {
        byte[] packed = TinyMnist.gzip(new byte[1_000_000]);
        assertThatThrownBy(() -> IdxReader.unzipped(packed, "bomb", 1000)).isInstanceOf(InvalidFileException.class)
                .hasMessage("bomb: unpacks to more than 1000 bytes");
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] copy = bytes.clone();
        copy[at] = (byte) value;
        return copy;
    }

    private static void assertRefused(byte[] content, String message) {
        assertThatThrownBy(() -> images(content)).isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("digits: " + message);
    }

    private static DigitImages images(byte[] content) throws IOException {
        return IdxReader.images(IdxReader.unzipped(content, "digits", 1000), "digits");
    }
}
