package io.mdnf.cli;

import io.mdnf.bn.CaseTable;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.Queries;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Answers to cases as lines of CSV: one for each case, with a column for each state of each target, or, long, one for
 * each state. It can be sent to where the cases are.
 */
final class BnAnswers implements Serializable {

    private static final long serialVersionUID = 1;

    /** From here on twelve decimals are as many significant digits as anybody needs. */
    private static final double PLAIN = 1e-3;
    private static final long DECIMALS = 1_000_000_000_000L;

    private final Queries queries;
    private final NamedFactors model;
    private final int[] targets;
    private final boolean bounds;
    private final boolean isLong;
    private final int width;

    /** Cases that are answered together, of which the first has a number, from 1. */
    record Block(int first, CaseTable cases) implements Serializable {}

    /** The lines of a block, and how many of its cases were answered how. */
    record Lines(String text, int cases, int exact, int fitted) implements Serializable {

        Lines plus(Lines others) {
            return new Lines(others.text, cases + others.cases, exact + others.exact, fitted + others.fitted);
        }
    }

    BnAnswers(Queries queries, boolean isLong) {
        this.queries = queries;
        this.model = queries.model();
        this.targets = queries.targets();
        this.bounds = !queries.isExact();
        this.isLong = isLong;
        int sum = 0;
        for (int target : targets) {
            sum += model.states().get(target).size();
        }
        this.width = sum;
    }

    boolean isExact() {
        return !bounds;
    }

    String header() {
        List<String> columns = new ArrayList<>(List.of("case", "algorithm", "logEvidence"));
        if (bounds) {
            columns.addAll(List.of("logEvidenceUpper", "standardError"));
        }
        columns.add("error");
        if (isLong) {
            columns.addAll(List.of("variable", "state", "probability"));
        } else {
            for (int target : targets) {
                model.states().get(target).forEach(state -> columns.add(model.variables().get(target) + "=" + state));
            }
        }
        return columns.stream().map(BnAnswers::cell).collect(Collectors.joining(",", "", "\n"));
    }

    Lines lines(Block block) {
        List<Queries.Answer> found = block.cases().answer(queries, 1);
        StringBuilder text = new StringBuilder();
        int[] counts = new int[Queries.Algorithm.values().length];
        for (int i = 0; i < found.size(); i++) {
            append(text, block.first() + i, found.get(i));
            counts[found.get(i).algorithm().ordinal()]++;
        }
        return new Lines(text.toString(), found.size(), counts[Queries.Algorithm.EXACT.ordinal()],
                counts[Queries.Algorithm.FITTED.ordinal()]);
    }

    private void append(StringBuilder out, int number, Queries.Answer answer) {
        StringBuilder first = new StringBuilder().append(number).append(',')
                .append(answer.algorithm() == Queries.Algorithm.NONE ? "" : Manual.word(answer.algorithm())).append(',')
                .append(Double.isNaN(answer.lower()) ? "" : Double.toString(answer.lower())).append(',');
        if (bounds) {
            first.append(Double.isNaN(answer.upper()) ? "" : Double.toString(answer.upper())).append(',')
                    .append(Double.isNaN(answer.standardError()) ? "" : Double.toString(answer.standardError()))
                    .append(',');
        }
        first.append(cell(answer.error()));
        double[] p = answer.probabilities();
        if (isLong && p.length > 0) {
            appendLong(out, first, p);
            return;
        }
        out.append(first);
        for (int k = 0; k < (isLong ? 3 : width); k++) {
            out.append(',');
            if (p.length > 0) {
                append(out, p[k]);
            }
        }
        out.append('\n');
    }

    private void appendLong(StringBuilder out, StringBuilder first, double[] p) {
        int at = 0;
        for (int target : targets) {
            for (String state : model.states().get(target)) {
                out.append(first).append(',').append(cell(model.variables().get(target))).append(',')
                        .append(cell(state)).append(',');
                append(out, p[at++]);
                out.append('\n');
            }
        }
    }

    /** Ten times faster than Java's own: millions of these are written. */
    static void append(StringBuilder out, double p) {
        if (!(p >= PLAIN && p < 1)) {
            out.append(p == 0 || p == 1 ? Integer.toString((int) p) : Double.toString(p));
            return;
        }
        long digits = Math.round(p * DECIMALS);
        if (digits == DECIMALS) {
            out.append(p);
            return;
        }
        int end = 12;
        for (; digits % 10 == 0; digits /= 10) {
            end--;
        }
        String shown = Long.toString(digits);
        out.append("0.").append("0".repeat(end - shown.length())).append(shown);
    }

    private static String cell(String text) {
        return text.chars().anyMatch(c -> c == ',' || c == '"') || !text.equals(text.strip())
                ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
