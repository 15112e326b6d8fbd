package io.mdnf.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.file.AtomicFiles;
import io.mdnf.graph.Threads;
import io.mdnf.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Cases x methods x seeds, one fit each, made by the workplace. A finished fit is kept as a JSON file
 * until its experiment ends, so that a run that was stopped or killed goes on where it was.
 *
 * @param trials every fit to be made, in the order of results
 */
record Study<C extends Named, M extends Named>(List<C> cases, List<M> methods, List<Trial<C, M>> trials) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One fit to be made; seeds are numbered from 0. */
    record Trial<C extends Named, M extends Named>(C test, M method, int seed) {
        String name() {
            return test.id() + "-" + method.id() + "-" + seed;
        }
    }

    /** Makes one fit; the result is a record of numbers, strings and enum values. */
    interface Fit<C extends Named, M extends Named, R> {
        R of(Trial<C, M> trial) throws Exception;
    }

    static <C extends Named, M extends Named> Study<C, M> of(List<C> cases, List<M> methods, int seeds) {
        List<Trial<C, M>> trials = new ArrayList<>();
        for (C test : cases) {
            for (M method : methods) {
                for (int seed = 0; seed < seeds; seed++) {
                    trials.add(new Trial<>(test, method, seed));
                }
            }
        }
        return new Study<>(cases, methods, trials);
    }

    /** Without the trials that are not wanted. */
    Study<C, M> where(Predicate<Trial<C, M>> wanted) {
        return new Study<>(cases, methods, trials.stream().filter(wanted).toList());
    }

    <R> Results<C, M, R> run(Workplace workplace, String what, Class<R> type, Fit<C, M, R> fit) throws IOException {
        return run(workplace, what, type, trial -> 0, fit);
    }

    /**
     * Makes the fits that are not kept, and returns all.
     *
     * @param what they are: a few words for progress, and the folder where they are kept
     * @param work how long a fit takes, in any unit, so that the longest start first
     */
    <R> Results<C, M, R> run(Workplace workplace, String what, Class<R> type, ToDoubleFunction<Trial<C, M>> work,
            Fit<C, M, R> fit) throws IOException {
        Path folder = Files.createDirectories(workplace.parts().resolve(what));
        Map<String, Trial<C, M>> started = new LinkedHashMap<>();
        trials.stream().sorted(Comparator.comparingDouble(t -> -work.applyAsDouble(t)))
                .forEach(trial -> started.put(trial.name(), trial));
        Map<Trial<C, M>, R> made = new LinkedHashMap<>();
        trials.forEach(trial -> made.put(trial, null));
        List<String> missing = new ArrayList<>();
        for (String name : started.keySet()) {
            Path file = folder.resolve(name + ".json");
            if (Files.exists(file)) {
                made.put(started.get(name), kept(file, type));
            } else {
                missing.add(name);
            }
        }
        try (Progress progress = Progress.start(what, started.size(), workplace.quiet(), System.err)) {
            int[] done = {started.size() - missing.size()};
            if (!missing.isEmpty()) {
                workplace.fits().make(workplace, missing, name -> made(fit, started.get(name)), (i, json) -> {
                    String name = missing.get(i);
                    AtomicFiles.write(folder.resolve(name + ".json"), json);
                    made.put(started.get(name), JSON.readValue(json, type));
                    progress.at(++done[0], Double.NaN);
                });
            }
        }
        return new Results<>(cases, methods, made);
    }

    /** Made on one thread, so that its bits do not depend on what else is made at the same time, and where. */
    private static <C extends Named, M extends Named, R> byte[] made(Fit<C, M, R> fit, Trial<C, M> trial)
            throws Exception {
        try (Threads one = Threads.one()) {
            return JSON.writeValueAsBytes(fit.of(trial));
        }
    }

    /** What was kept in a file. */
    private static <R> R kept(Path file, Class<R> type) throws IOException {
        try {
            return JSON.readValue(Files.readAllBytes(file), type);
        } catch (JsonProcessingException e) {
            throw new IOException(file + ": not a part of this experiment: " + e.getOriginalMessage()
                    + "; run it again without --resume", e);
        }
    }
}
