package io.mdnf.graph;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Several element-wise operations and short sums as one call of plain Java: rows go block by block through all of
 * them, so that what lies between stays in the cache and reaches memory only if somebody else reads it.
 */
final class BlockCall implements Runnable {

    /** Elements of a block: so few that those of all operands together fit the second level cache. */
    private static final int BLOCK = 2048;

    /** An array and the block of it that is at hand; so many elements for each row of the call. */
    private record Operand(FloatBuffer memory, float[] block, int width) {
        void load(int row, int rows) {
            memory.get(row * width, block, 0, rows * width);
        }

        void store(int row, int rows) {
            memory.put(row * width, block, 0, rows * width);
        }
    }

    private final int rows;
    private final int blockRows;
    private final BlockStep[] steps;
    /** Of each step, three inputs or fewer, then the output. */
    private final Operand[][] operands;
    private final Operand[] loaded;
    private final Operand[] stored;
    private final BlockStep.Scratch scratch;

    /** Takes steps in order and the addresses of what is read elsewhere, by other calls or after the run. */
    BlockCall(List<BlockStep> steps, Set<Long> readElsewhere) {
        this.steps = steps.toArray(new BlockStep[0]);
        this.rows = (int) commonRows(steps);
        int widest = (int) (steps.stream().mapToLong(BlockStep::longest).max().orElseThrow() / rows);
        this.blockRows = Math.max(1, Math.min(rows, BLOCK / widest));
        this.operands = new Operand[steps.size()][];
        this.scratch = new BlockStep.Scratch(blockRows * widest);
        Map<Long, Integer> lastUse = new HashMap<>();
        for (int s = 0; s < steps.size(); s++) {
            for (INDArray array : steps.get(s).arrays()) {
                lastUse.put(address(array), s);
            }
        }
        Map<Long, Operand> known = new LinkedHashMap<>();
        List<Operand> fromMemory = new ArrayList<>();
        List<Operand> toMemory = new ArrayList<>();
        List<float[]> free = new ArrayList<>();
        for (int s = 0; s < steps.size(); s++) {
            List<INDArray> arrays = steps.get(s).arrays();
            operands[s] = new Operand[arrays.size()];
            for (int i = 0; i < arrays.size(); i++) {
                INDArray array = arrays.get(i);
                boolean output = i == arrays.size() - 1;
                boolean kept = !output || readElsewhere.contains(address(array));
                Operand operand = known.get(address(array));
                if (operand == null) {
                    // what is loaded or stored has a block of its own; what lives between two steps shares
                    float[] block = kept || free.isEmpty() ? new float[blockRows * widest] : free.remove(0);
                    operand = new Operand(memory(array), block, (int) (array.length() / rows));
                    known.put(address(array), operand);
                    if (kept) {
                        (output ? toMemory : fromMemory).add(operand);
                    }
                }
                operands[s][i] = operand;
            }
            int step = s;
            Set<Long> done = new HashSet<>();
            known.forEach((address, operand) -> {
                if (lastUse.get(address) == step && !toMemory.contains(operand) && !fromMemory.contains(operand)) {
                    free.add(operand.block());
                    done.add(address);
                }
            });
            known.keySet().removeAll(done);
        }
        this.loaded = fromMemory.toArray(new Operand[0]);
        this.stored = toMemory.toArray(new Operand[0]);
    }

    /** The most rows into which all steps can be cut without cutting a row of theirs. */
    static long commonRows(List<BlockStep> steps) {
        return steps.stream().mapToLong(BlockStep::rows).reduce(0, BlockCall::divisor);
    }

    private static long divisor(long a, long b) {
        return b == 0 ? a : divisor(b, a % b);
    }

    static long address(INDArray array) {
        return ArrayMemory.address(array);
    }

    private static FloatBuffer memory(INDArray array) {
        return new FloatPointer(array.data().addressPointer()).capacity(array.length()).asBuffer();
    }

    @Override
    public void run() {
        for (int row = 0; row < rows; row += blockRows) {
            int n = Math.min(blockRows, rows - row);
            for (Operand operand : loaded) {
                operand.load(row, n);
            }
            for (int s = 0; s < steps.length; s++) {
                Operand[] of = operands[s];
                Operand output = of[of.length - 1];
                steps[s].apply(of[0].block, of.length > 2 ? of[1].block : null, of.length > 3 ? of[2].block : null,
                        output.block, n * output.width, scratch);
            }
            for (Operand operand : stored) {
                operand.store(row, n);
            }
        }
    }
}
