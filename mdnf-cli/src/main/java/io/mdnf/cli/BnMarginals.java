package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.Node;
import io.mdnf.report.Block;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The posterior of every latent variable, for people and machines.
 *
 * @param evidence the network and what was observed
 * @param values [D][K_d], latent variables in the order of {@link Evidence#latents()}
 */
record BnMarginals(Evidence evidence, double[][] values) {

    private static final int BAR = 20;
    private static final String PARTS = " ▏▎▍▌▋▊▉";

    /** Those of exact inference. */
    static BnMarginals of(ExactPosterior exact) {
        int[] latents = exact.evidence().latents();
        double[][] values = new double[latents.length][];
        for (int d = 0; d < values.length; d++) {
            values[d] = exact.marginal(latents[d]);
        }
        return new BnMarginals(exact.evidence(), values);
    }

    /** {variable: {state: p}}. */
    Map<String, Map<String, Double>> byName() {
        Map<String, Map<String, Double>> all = new LinkedHashMap<>();
        for (int d = 0; d < values.length; d++) {
            Map<String, Double> states = new LinkedHashMap<>();
            for (int k = 0; k < values[d].length; k++) {
                states.put(node(d).states().get(k), values[d][k]);
            }
            all.put(node(d).name(), states);
        }
        return all;
    }

    /** A row for each state, with exact values beside where known. */
    Block.Table table(String caption, String column, Optional<BnMarginals> exact) {
        Block.Column variable = Block.Column.text("variable");
        Block.Column state = Block.Column.text("state");
        Block.Column value = Block.Column.number(column);
        Block.Table table = exact.isPresent()
                ? Block.Table.of(caption, variable, state, value, Block.Column.number("exact"), Block.Column.text(""))
                : Block.Table.of(caption, variable, state, value, Block.Column.text(""));
        for (int d = 0; d < values.length; d++) {
            for (int k = 0; k < values[d].length; k++) {
                String name = k == 0 ? node(d).name() : "";
                String label = node(d).states().get(k);
                String p = number(values[d][k]);
                table = exact.isPresent()
                        ? table.row(name, label, p, number(exact.get().values[d][k]), bar(values[d][k]))
                        : table.row(name, label, p, bar(values[d][k]));
            }
        }
        return table;
    }

    private Node node(int d) {
        return evidence.network().node(evidence.latents()[d]);
    }

    private static String number(double p) {
        return String.format(Locale.ROOT, "%.4f", p);
    }

    /** A bar in eighths of a character. */
    static String bar(double p) {
        int eighths = (int) Math.round(Math.min(1, Math.max(0, p)) * BAR * 8);
        String part = eighths % 8 == 0 ? "" : PARTS.substring(eighths % 8, eighths % 8 + 1);
        return "█".repeat(eighths / 8) + part;
    }
}
