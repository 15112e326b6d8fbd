package io.mdnf.vae;

import io.mdnf.random.Seed;

/**
 * Images, each moved by at most a pixel down or up and by at most one to a side, as the seed has it; what comes in is
 * black. Rows that are no images, one line, stay as they are.
 */
record MovedRows(ImageRows rows, Seed seed) implements DerivedRows {

    /** Places to move to: 3 x 3. */
    private static final int STEPS = 3;

    @Override
    public ImageShape shape() {
        return rows.shape();
    }

    @Override
    public void read(int row, float[] target, int offset) {
        int height = shape().height();
        int width = shape().width();
        if (height == 1) {
            rows.read(row, target, offset);
            return;
        }
        float[] still = new float[size()];
        rows.read(row, still, 0);
        int place = (int) Math.floorMod(seed.fold(row).value(), (long) STEPS * STEPS);
        int down = place / STEPS - 1;
        int right = place % STEPS - 1;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int fromY = y - down;
                int fromX = x - right;
                boolean inside = fromY >= 0 && fromY < height && fromX >= 0 && fromX < width;
                target[offset + y * width + x] = inside ? still[fromY * width + fromX] : 0;
            }
        }
    }

    @Override
    public ImageRows first(int limit) {
        return new MovedRows(rows.first(limit), seed);
    }
}
