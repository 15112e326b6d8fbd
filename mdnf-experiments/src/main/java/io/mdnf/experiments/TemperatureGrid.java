package io.mdnf.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.bn.FactorisedVif;
import io.mdnf.bn.GumbelFit;
import io.mdnf.bn.GumbelSettings;
import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.ProductFigures;
import io.mdnf.file.AtomicFiles;
import io.mdnf.random.Seed;
import io.mdnf.report.CsvTable;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * KL over a grid of tau x tau_p for cases and methods. All Gumbel fits of a case and method are one batch, in one plan
 * on one thread; MDNF has no tau_p, so one fit per tau serves a whole column.
 *
 * @param temperatures the values of tau, and of tau_p
 * @param iterations of every Gumbel fit
 * @param annealed whether tau falls by e^-10 over the iterations, not below 0.001
 */
record TemperatureGrid(List<PaperCases> cases, double[] temperatures, int iterations, FactorisedStarts flows,
                       boolean annealed) {

    private static final double[] PAPER = {0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
    private static final double[] QUICK = {0.1, 1, 10, 100};
    private static final double COLDEST = 0.001;
    private static final int EVALUATIONS = 50;
    static final String FILE = "grid.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    static TemperatureGrid at(Scale scale, boolean annealed) {
        List<PaperCases> all = PaperCases.all();
        return scale == Scale.PAPER
                ? new TemperatureGrid(all, PAPER, 10_000, FactorisedStarts.of(1000, 10_000), annealed)
                : new TemperatureGrid(all, QUICK, 2000, FactorisedStarts.of(600, 5000), annealed);
    }

    /** Who fits: Gumbel's temperatures are one batch, each of MDNF's is a fit of its own. */
    private record Fitted(GridMethod method, double tau) implements Named {
        @Override
        public String title() {
            return method.title();
        }

        @Override
        public String id() {
            return method.id() + "-" + tau;
        }
    }

    List<GridCell> run(Workplace workplace) throws IOException {
        String name = annealed ? "annealed" : "grid";
        List<Fitted> methods = new ArrayList<>(List.of(new Fitted(GridMethod.ST_GUMBEL, Double.NaN),
                new Fitted(GridMethod.GUMBEL, Double.NaN)));
        Arrays.stream(temperatures).forEach(tau -> methods.add(new Fitted(GridMethod.MDNF, tau)));
        List<GridCell> cells = new ArrayList<>();
        Study.of(cases, methods, 1).run(workplace, name, GridCell[].class, trial -> {
            PaperCases test = trial.test();
            Fitted by = trial.method();
            Seed seed = workplace.seed().fold(name).fold(test.id());
            return by.method == GridMethod.MDNF ? new GridCell[] {mdnf(test, test.target(), by.tau, seed)}
                    : gumbel(test, test.target(), by.method, seed);
        }).all().forEach((trial, found) -> cells.addAll(List.of(found)));
        CsvTable csv = new CsvTable("case", "method", "tau", "tau_p", "kl", "kl_exact", "lowest_kl", "lowest_step");
        cells.forEach(cell -> csv.row(cell.test().id(), cell.method().id(), cell.tau(),
                Double.isNaN(cell.priorTau()) ? null : cell.priorTau(), cell.kl(), cell.exactKl(), cell.lowestKl(),
                cell.lowestStep()));
        csv.write(workplace.file("grid.csv"));
        AtomicFiles.write(workplace.file(FILE), JSON.writeValueAsBytes(cells));
        return cells;
    }

    /** The cells that another experiment of the same run has written, if they are all there. */
    Optional<List<GridCell>> written(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        GridCell[] cells = JSON.readValue(Files.readAllBytes(file), GridCell[].class);
        int expected = cases.size() * (2 * temperatures.length + 1) * temperatures.length;
        return cells.length == expected ? Optional.of(List.of(cells)) : Optional.empty();
    }

    TemperatureSchedule schedule(double tau, int steps) {
        return annealed ? TemperatureSchedule.exponential(tau, 10.0 / steps, Math.min(tau, COLDEST))
                : TemperatureSchedule.constant(tau);
    }

    private GridCell[] gumbel(PaperCases test, NetworkTarget target, GridMethod method, Seed seed) {
        List<double[]> pairs = new ArrayList<>();
        List<GumbelTemperatures> settings = new ArrayList<>();
        for (double tau : temperatures) {
            for (double prior : temperatures) {
                pairs.add(new double[] {tau, prior});
                settings.add(new GumbelTemperatures(schedule(tau, iterations), prior));
            }
        }
        double[] lowest = new double[pairs.size()];
        Arrays.fill(lowest, Double.POSITIVE_INFINITY);
        long[] at = new long[pairs.size()];
        GumbelSettings published = GumbelSettings.published(method == GridMethod.ST_GUMBEL);
        GumbelFit fit = new GumbelFit(target, published, settings);
        try (var training = new GradientTraining<>(fit)) {
            TrainingState state = training.init(seed);
            ProductFigures[] now = new ProductFigures[lowest.length];
            while (state.step() < iterations) {
                state = training.advance(state, (int) Math.min(Math.max(1, iterations / EVALUATIONS),
                        iterations - state.step()));
                for (int c = 0; c < lowest.length; c++) {
                    now[c] = fit.figures(state, c);
                    if (now[c].flooredKl() < lowest[c]) {
                        lowest[c] = now[c].flooredKl();
                        at[c] = state.step();
                    }
                }
            }
            GridCell[] cells = new GridCell[lowest.length];
            Arrays.setAll(cells, c -> new GridCell(test, method, pairs.get(c)[0], pairs.get(c)[1], now[c].flooredKl(),
                    now[c].kl(), lowest[c], at[c]));
            return cells;
        }
    }

    private GridCell mdnf(PaperCases test, NetworkTarget target, double tau, Seed seed) {
        FactorisedVif.Best best = flows
                .fit(target, schedule(tau, flows.first() + flows.then()), seed.fold("mdnf"), 50, (step, now) -> { });
        ProductFigures figures = best.figures();
        return new GridCell(test, GridMethod.MDNF, tau, Double.NaN, figures.flooredKl(), figures.kl(),
                figures.flooredKl(), best.step());
    }
}
