package io.mdnf.vae;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * What the known cells of one of {@link People} tell of its missing ones, by summing over all people with these cells
 * as they were made up. No guess of a missing cell errs less on average: the likeliest word, or the mean of a number.
 */
final class PeopleTruth {

    /** More children have a probability below 1e-13. */
    private static final int MOST_CHILDREN = 20;
    private static final double[] AGE = rounded(People.MEAN_AGE, People.AGES, People.YOUNGEST, People.OLDEST);
    private static final double[] EDUCATION = rounded(People.MEAN_EDUCATION, 1, 0, 3);
    private static final double[][] OCCUPATION = IntStream.range(0, 4)
            .mapToObj(e -> rounded(People.meanOccupation(e), People.OCCUPATIONS, 0, 4)).toArray(double[][]::new);

    private final List<String> known;
    /** Of every column, the weight of each cell that may be. */
    private final List<Map<String, Double>> weights = new ArrayList<>();

    private PeopleTruth(List<String> known) {
        this.known = known;
        known.forEach(cell -> weights.add(new HashMap<>()));
    }

    /** The probabilities of from, ..., to of a rounded normal number, cut to that range. */
    private static double[] rounded(double mean, double deviation, int from, int to) {
        return IntStream.rangeClosed(from, to).mapToDouble(v -> (v == to ? 1 : below((v + 0.5 - mean) / deviation))
                - (v == from ? 0 : below((v - 0.5 - mean) / deviation))).toArray();
    }

    /** The probability that a standard normal number is below x. */
    private static double below(double x) {
        return Erfc.value(-x / Math.sqrt(2)) / 2;
    }

    /** The probabilities of all cells given the known ones, in the order of {@link People#HEADER}. */
    static PeopleTruth given(List<String> known) {
        PeopleTruth truth = new PeopleTruth(known);
        truth.sum();
        for (Map<String, Double> column : truth.weights) {
            double total = column.values().stream().mapToDouble(w -> w).sum();
            column.replaceAll((cell, weight) -> weight / total);
        }
        return truth;
    }

    private boolean fits(int column, String cell) {
        return Column.isMissing(known.get(column)) || known.get(column).equals(cell);
    }

    private void sum() {
        for (int age = People.YOUNGEST; age <= People.OLDEST; age++) {
            for (int education = 0; education < 4; education++) {
                for (int occupation = 0; occupation < 5; occupation++) {
                    String[] cells = {Integer.toString(age), People.EDUCATION.get(education),
                            People.OCCUPATION.get(occupation)};
                    if (fits(0, cells[0]) && fits(1, cells[1]) && fits(2, cells[2])) {
                        sum(age, education, occupation, AGE[age - People.YOUNGEST] * EDUCATION[education]
                                * OCCUPATION[education][occupation]);
                    }
                }
            }
        }
    }

    private void sum(int age, int education, int occupation, double weight) {
        for (boolean female : new boolean[] {false, true}) {
            for (boolean married : new boolean[] {false, true}) {
                String relationship = People.relationship(age, female, married);
                if (fits(3, female ? "F" : "M") && fits(4, married ? "1" : "0") && fits(5, relationship)) {
                    double all = weight * (female ? People.FEMALE : 1 - People.FEMALE)
                            * (married ? People.married(age) : 1 - People.married(age));
                    double mean = People.meanChildren(married);
                    double rich = People.rich(age, education, occupation, married);
                    for (int c = 0; c <= MOST_CHILDREN; c++) {
                        if (fits(6, Integer.toString(c))) {
                            double hours = People.meanHours(occupation, female, c);
                            double most = all * density(hours)
                                    * Math.exp(c * Math.log(mean) - mean - LogGamma.value(c + 1));
                            List<String> cells = List.of(Integer.toString(age), People.EDUCATION.get(education),
                                    People.OCCUPATION.get(occupation), female ? "F" : "M", married ? "1" : "0",
                                    relationship, Integer.toString(c), Double.toString(hours));
                            add(cells, ">50K", most * rich);
                            add(cells, "<=50K", most * (1 - rich));
                        }
                    }
                }
            }
        }
    }

    /** Of the known hours, but for a factor; unknown ones are later guessed by their mean. */
    private double density(double mean) {
        String hours = known.get(7);
        double away = Column.isMissing(hours) ? 0 : (Double.parseDouble(hours) - mean) / People.HOURS;
        return Math.exp(-away * away / 2);
    }

    private void add(List<String> cells, String income, double weight) {
        if (fits(8, income)) {
            for (int c = 0; c < cells.size(); c++) {
                weights.get(c).merge(cells.get(c), weight, Double::sum);
            }
            weights.get(8).merge(income, weight, Double::sum);
        }
    }

    /** The guess of a cell that errs least on average. */
    double guess(int at, Column column) {
        return column.kind() == ColumnKind.BERNOULLI || column.kind() == ColumnKind.CATEGORICAL
                ? column.value(Collections.max(weights.get(at).entrySet(), Map.Entry.comparingByValue()).getKey())
                : moment(at, 1);
    }

    /** How much that guess errs on average: the share of wrong words, the squared error of numbers. */
    double error(int at, Column column) {
        if (column.kind() == ColumnKind.BERNOULLI || column.kind() == ColumnKind.CATEGORICAL) {
            return 1 - Collections.max(weights.get(at).values());
        }
        double scatter = column.name().equals("hours") ? People.HOURS * People.HOURS : 0;
        return scatter + moment(at, 2) - Math.pow(moment(at, 1), 2);
    }

    private double moment(int at, int order) {
        return weights.get(at).entrySet().stream()
                .mapToDouble(e -> Math.pow(Double.parseDouble(e.getKey()), order) * e.getValue()).sum();
    }
}
