package io.mdnf.uai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Random Markov fields as files have them, small enough to list all codes. */
final class RandomModels {

    private RandomModels() {
    }

    /** One to six variables of one to four categories; numbers large, small and 0. */
    static UaiModel model(Random random) {
        int[] cardinalities = random.ints(1 + random.nextInt(6), 1, 5).toArray();
        List<UaiTable> tables = new ArrayList<>();
        for (int t = random.nextInt(8); t >= 0; t--) {
            List<Integer> all = new ArrayList<>(IntStream.range(0, cardinalities.length).boxed().toList());
            Collections.shuffle(all, random);
            int[] scope = all.stream().limit(random.nextInt(4)).mapToInt(Integer::intValue).toArray();
            int size = IntStream.of(scope).map(v -> cardinalities[v]).reduce(1, (a, b) -> a * b);
            tables.add(new UaiTable(scope, random.doubles(size).map(u -> u < 0.1 ? 0 : Math.exp(9 * u - 5)).toArray()));
        }
        return new UaiModel(UaiModel.Kind.MARKOV, cardinalities, tables);
    }

    static UaiEvidence evidence(Random random, UaiModel model) {
        Map<Integer, Integer> observed = new TreeMap<>();
        for (int v = 0; v < model.variables(); v++) {
            if (random.nextInt(3) == 0) {
                observed.put(v, random.nextInt(model.cardinality(v)));
            }
        }
        return UaiEvidence.of(model, observed);
    }
}
