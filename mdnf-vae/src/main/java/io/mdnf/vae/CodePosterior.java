package io.mdnf.vae;

import io.mdnf.random.Draws;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/** q(z | x) of one image in double precision: what is drawn here is what is scored here. */
sealed interface CodePosterior {

    /** A code drawn from q, [D]. */
    int[] draw(UniformRandomProvider random);

    /** log q(code). */
    double logProb(int[] code);

    /** KL(q || p) for a product prior given as log p, flat [D, K]. */
    double divergence(double[] logPrior);

    /** The code with the largest probability, [D]. */
    int[] mostProbable();

    /**
     * A product of categoricals.
     *
     * @param tables q_d(k), flat [D, K], each row summing to 1
     * @param categories K
     */
    record Product(double[] tables, int categories) implements CodePosterior {

        /** Takes rows of float accuracy and makes them sum to 1 in double. */
        static Product normalised(double[] all, int offset, int variables, int categories) {
            double[] tables = Arrays.copyOfRange(all, offset, offset + variables * categories);
            for (int row = 0; row < tables.length; row += categories) {
                double sum = 0;
                for (int k = 0; k < categories; k++) {
                    sum += tables[row + k];
                }
                for (int k = 0; k < categories; k++) {
                    tables[row + k] /= sum;
                }
            }
            return new Product(tables, categories);
        }

        private int variables() {
            return tables.length / categories;
        }

        @Override
        public int[] draw(UniformRandomProvider random) {
            int[] code = new int[variables()];
            for (int d = 0; d < code.length; d++) {
                code[d] = Draws.category(random, tables, d * categories, categories);
            }
            return code;
        }

        @Override
        public double logProb(int[] code) {
            double sum = 0;
            for (int d = 0; d < code.length; d++) {
                sum += Math.log(tables[d * categories + code[d]]);
            }
            return sum;
        }

        @Override
        public double divergence(double[] logPrior) {
            double sum = 0;
            for (int i = 0; i < tables.length; i++) {
                if (tables[i] > 0) {
                    sum += tables[i] * (Math.log(tables[i]) - logPrior[i]);
                }
            }
            return sum;
        }

        @Override
        public int[] mostProbable() {
            int[] code = new int[variables()];
            for (int d = 0; d < code.length; d++) {
                for (int k = 1; k < categories; k++) {
                    if (tables[d * categories + k] > tables[d * categories + code[d]]) {
                        code[d] = k;
                    }
                }
            }
            return code;
        }
    }

    /**
     * Equally weighted atoms, some of which may coincide.
     *
     * @param atoms [B][D]
     * @param categories K
     */
    record Atoms(int[][] atoms, int categories) implements CodePosterior {

        private static List<Integer> key(int[] code) {
            return Arrays.stream(code).boxed().toList();
        }

        private Map<List<Integer>, Integer> counts() {
            Map<List<Integer>, Integer> counts = new HashMap<>();
            for (int[] atom : atoms) {
                counts.merge(key(atom), 1, Integer::sum);
            }
            return counts;
        }

        @Override
        public int[] draw(UniformRandomProvider random) {
            return atoms[random.nextInt(atoms.length)].clone();
        }

        @Override
        public double logProb(int[] code) {
            int count = 0;
            for (int[] atom : atoms) {
                if (Arrays.equals(atom, code)) {
                    count++;
                }
            }
            return Math.log((double) count / atoms.length);
        }

        @Override
        public double divergence(double[] logPrior) {
            Map<List<Integer>, Integer> counts = counts();
            double sum = 0;
            for (int[] atom : atoms) {
                double log = Math.log((double) counts.get(key(atom)) / atoms.length);
                for (int d = 0; d < atom.length; d++) {
                    log -= logPrior[d * categories + atom[d]];
                }
                sum += log / atoms.length;
            }
            return sum;
        }

        @Override
        public int[] mostProbable() {
            Map<List<Integer>, Integer> counts = counts();
            int[] best = atoms[0];
            for (int[] atom : atoms) {
                if (counts.get(key(atom)) > counts.get(key(best))) {
                    best = atom;
                }
            }
            return best.clone();
        }
    }
}
