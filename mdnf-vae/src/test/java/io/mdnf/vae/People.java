package io.mdnf.vae;

import io.mdnf.file.CsvFile;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** A made-up census in the manner of the Adult data: words, 0 and 1, numbers and counts that depend on each other. */
final class People {

    static final List<String> HEADER = List.of("age", "education", "occupation", "sex", "married", "relationship",
            "children", "hours", "income");
    static final int YOUNGEST = 17;
    static final int OLDEST = 90;
    static final double MEAN_AGE = 42;
    static final double AGES = 15;
    static final double MEAN_EDUCATION = 1.3;
    static final double OCCUPATIONS = 0.6;
    static final double FEMALE = 0.45;
    static final double HOURS = 3;
    static final List<String> EDUCATION = List.of("school", "college", "bachelor", "master");
    static final List<String> OCCUPATION = List.of("craft", "service", "clerical", "technical", "manager");

    private People() {}

    /** Rows of cells without a header, none missing. */
    static List<List<String>> rows(int count, Seed seed) {
        UniformRandomProvider random = new Draws(seed).stream("people");
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(random);
        List<List<String>> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            int age = (int) Math.max(YOUNGEST, Math.min(OLDEST, Math.round(MEAN_AGE + AGES * normal.sample())));
            int education = (int) Math.max(0, Math.min(3, Math.round(MEAN_EDUCATION + normal.sample())));
            int occupation = (int) Math.max(0, Math.min(4,
                    Math.round(meanOccupation(education) + OCCUPATIONS * normal.sample())));
            boolean female = random.nextDouble() < FEMALE;
            boolean married = random.nextDouble() < married(age);
            String relationship = relationship(age, female, married);
            int children = PoissonSampler.of(random, meanChildren(married)).sample();
            double hours = meanHours(occupation, female, children) + HOURS * normal.sample();
            boolean rich = random.nextDouble() < rich(age, education, occupation, married);
            rows.add(List.of(Integer.toString(age), EDUCATION.get(education), OCCUPATION.get(occupation),
                    female ? "F" : "M", married ? "1" : "0", relationship, Integer.toString(children),
                    String.format(Locale.ROOT, "%.1f", hours), rich ? ">50K" : "<=50K"));
        }
        return rows;
    }

    static double meanOccupation(int education) {
        return 0.3 + 1.2 * education;
    }

    static double married(int age) {
        return age < 27 ? 0.1 : 0.75;
    }

    static String relationship(int age, boolean female, boolean married) {
        return married ? female ? "wife" : "husband" : age < 27 ? "own child" : "single";
    }

    static double meanChildren(boolean married) {
        return married ? 2.2 : 0.2;
    }

    static double meanHours(int occupation, boolean female, int children) {
        return 36 + 2.5 * occupation - (children > 2 && female ? 10 : 0);
    }

    static double rich(int age, int education, int occupation, boolean married) {
        double worth = -6 + 1.4 * education + 0.5 * occupation + (married ? 1.5 : 0) + 0.04 * (age - 25);
        return 1 / (1 + Math.exp(-2 * worth));
    }

    /** A file of rows, each cell missing with a probability: empty, ? or NA. */
    static CsvFile file(List<List<String>> rows, double missing, Seed seed) {
        UniformRandomProvider random = new Draws(seed).stream("missing");
        String[] words = {"", "?", "NA"};
        List<List<String>> all = new ArrayList<>();
        all.add(HEADER);
        for (List<String> row : rows) {
            all.add(row.stream().map(cell -> random.nextDouble() < missing ? words[random.nextInt(3)] : cell).toList());
        }
        return new CsvFile("people.csv", all);
    }
}
