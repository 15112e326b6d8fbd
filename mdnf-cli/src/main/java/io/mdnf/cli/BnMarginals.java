package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.Node;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The posterior of every latent variable, for people and machines.
 *
 * @param values [D][K_d], latent variables in the order of {@link Evidence#latents()}
 */
record BnMarginals(Evidence evidence, double[][] values) {

    private static final int BAR = 20;
    private static final String PARTS = " ▏▎▍▌▋▊▉";

    /** Those of exact inference. */
    static BnMarginals of(ExactPosterior exact) {
        return new BnMarginals(exact.evidence(), Arrays.stream(exact.evidence().latents())
                .mapToObj(exact::marginal).toArray(double[][]::new));
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
        List<Block.Column> columns = new ArrayList<>(List.of(Block.Column.text("variable"),
                Block.Column.text("state"), Block.Column.number(column)));
        exact.ifPresent(truth -> columns.add(Block.Column.number("exact")));
        columns.add(Block.Column.text(""));
        List<List<String>> rows = new ArrayList<>();
        for (int d = 0; d < values.length; d++) {
            for (int k = 0; k < values[d].length; k++) {
                List<String> row = new ArrayList<>(List.of(k == 0 ? node(d).name() : "", node(d).states().get(k),
                        Decimals.fixed(values[d][k], 4)));
                if (exact.isPresent()) {
                    row.add(Decimals.fixed(exact.get().values[d][k], 4));
                }
                row.add(bar(values[d][k]));
                rows.add(row);
            }
        }
        return new Block.Table(caption, columns, rows, List.of());
    }

    private Node node(int d) {
        return evidence.network().node(evidence.latents()[d]);
    }

    /** A bar in eighths of a character. */
    static String bar(double p) {
        int eighths = (int) Math.round(Math.min(1, Math.max(0, p)) * BAR * 8);
        String part = eighths % 8 == 0 ? "" : PARTS.substring(eighths % 8, eighths % 8 + 1);
        return "█".repeat(eighths / 8) + part;
    }
}
