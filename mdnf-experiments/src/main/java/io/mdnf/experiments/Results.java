package io.mdnf.experiments;

import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Quartiles;
import io.mdnf.report.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/**
 * What came of a {@link Study}.
 *
 * @param all every result, in the order of cases, methods and seeds
 */
record Results<C extends Named, M extends Named, R>(List<C> cases, List<M> methods, Map<Study.Trial<C, M>, R> all) {

    void write(Path file, List<String> columns, BiFunction<Study.Trial<C, M>, R, List<?>> row) throws IOException {
        CsvTable csv = new CsvTable(columns.toArray(String[]::new));
        all.forEach((trial, result) -> csv.row(row.apply(trial, result).toArray()));
        csv.write(file);
    }

    /** Of all seeds. */
    List<R> of(C test, M method) {
        return all.entrySet().stream()
                .filter(e -> e.getKey().test().equals(test) && e.getKey().method().equals(method))
                .map(Map.Entry::getValue).toList();
    }

    double[] values(C test, M method, ToDoubleFunction<R> figure) {
        return of(test, method).stream().mapToDouble(figure).toArray();
    }

    double median(C test, M method, ToDoubleFunction<R> figure) {
        return Quartiles.of(values(test, method, figure)).median();
    }

    /** NaN where nothing was fitted. */
    double mean(C test, M method, ToDoubleFunction<R> figure) {
        return of(test, method).stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    /** A method's medians summed over the cases. */
    double sum(M method, ToDoubleFunction<R> figure) {
        return cases.stream().mapToDouble(test -> median(test, method, figure)).sum();
    }

    /** Box plots of some methods, a group for each case. */
    List<BoxPlot.Samples> boxes(List<M> shown, ToDoubleFunction<R> figure) {
        return shown.stream().map(method -> BoxPlot.Samples.of(method.title(),
                cases.stream().map(test -> values(test, method, figure)).toArray(double[][]::new))).toList();
    }

    List<String> caseTitles() {
        return cases.stream().map(Named::title).toList();
    }
}
