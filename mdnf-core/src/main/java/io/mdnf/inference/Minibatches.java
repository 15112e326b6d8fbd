package io.mdnf.inference;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;

/** Which of {@code count} things a step takes: each pass has its own random order and leaves out what does not fill a
 * batch. The step's number and the seed say it all. */
final class Minibatches {

    private final int count;
    private final int size;
    private Seed ordered;
    private int[] order;

    Minibatches(int count, int most) {
        this.count = count;
        this.size = Math.min(most, count);
    }

    /** How many a step takes. */
    int size() {
        return size;
    }

    int[] of(Seed seed, long step) {
        int perPass = count / size;
        Seed pass = seed.fold("pass").fold(step / perPass);
        if (!pass.equals(ordered)) {
            order = new Draws(pass).permutation("order", count);
            ordered = pass;
        }
        int start = (int) (step % perPass) * size;
        return Arrays.copyOfRange(order, start, start + size);
    }
}
