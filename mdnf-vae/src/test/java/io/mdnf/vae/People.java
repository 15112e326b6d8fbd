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
    private static final String[] EDUCATION = {"school", "college", "bachelor", "master"};
    private static final String[] OCCUPATION = {"craft", "service", "clerical", "technical", "manager"};

    private People() {}

    /** Rows of cells without a header, none missing. */
    static List<List<String>> rows(int count, Seed seed) {
        UniformRandomProvider random = new Draws(seed).stream("people");
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(random);
        List<List<String>> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            int age = (int) Math.max(17, Math.min(90, Math.round(42 + 15 * normal.sample())));
            int education = (int) Math.max(0, Math.min(3, Math.round(1.3 + normal.sample())));
            int occupation = (int) Math.max(0, Math.min(4, Math.round(0.3 + 1.2 * education + 0.6 * normal.sample())));
            boolean female = random.nextDouble() < 0.45;
            boolean married = random.nextDouble() < (age < 27 ? 0.1 : 0.75);
            String relationship = married ? female ? "wife" : "husband" : age < 27 ? "own child" : "single";
            int children = PoissonSampler.of(random, married ? 2.2 : 0.2).sample();
            double hours = 36 + 2.5 * occupation - (children > 2 && female ? 10 : 0) + 3 * normal.sample();
            double worth = -6 + 1.4 * education + 0.5 * occupation + (married ? 1.5 : 0) + 0.04 * (age - 25);
            boolean rich = random.nextDouble() < 1 / (1 + Math.exp(-2 * worth));
            rows.add(List.of(Integer.toString(age), EDUCATION[education], OCCUPATION[occupation],
                    female ? "F" : "M", married ? "1" : "0", relationship, Integer.toString(children),
                    String.format(Locale.ROOT, "%.1f", hours), rich ? ">50K" : "<=50K"));
        }
        return rows;
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
