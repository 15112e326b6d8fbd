package io.mdnf.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Small images under MNIST's names, for tests that must not need MNIST: a bright row crosses a bright column. */
final class OwnImages {

    private OwnImages() {}

    /** 100 training and 40 test images of size x size. */
    static void write(Path folder, int size) throws IOException {
        write(folder, size, size);
    }

    /** 100 training and 40 test images. */
    static void write(Path folder, int height, int width) throws IOException {
        Random random = new Random(1);
        for (String set : List.of("train", "t10k")) {
            int count = set.equals("train") ? 100 : 40;
            ByteBuffer images = ByteBuffer.allocate(16 + count * height * width)
                    .put(new byte[] {0, 0, 8, 3}).putInt(count).putInt(height).putInt(width);
            ByteBuffer labels = ByteBuffer.allocate(8 + count).put(new byte[] {0, 0, 8, 1}).putInt(count);
            for (int i = 0; i < count; i++) {
                int row = random.nextInt(height);
                int column = random.nextInt(width);
                for (int p = 0; p < height * width; p++) {
                    images.put((byte) (p / width == row || p % width == column ? 255 : 0));
                }
                labels.put((byte) row);
            }
            Files.write(folder.resolve(set + "-images-idx3-ubyte"), images.array());
            Files.write(folder.resolve(set + "-labels-idx1-ubyte"), labels.array());
        }
    }
}
