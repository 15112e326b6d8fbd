package io.mdnf.explorer;

import com.fasterxml.jackson.databind.JsonNode;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.CsvFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The page of a run, while it goes and afterwards, read from its folder and from nothing else. */
public final class RunPage implements Page {

    /** More points than a curve has pixels are thinned. */
    private static final int POINTS = 1200;

    private final Path folder;

    /** The page of a folder with a manifest. */
    public RunPage(Path folder) {
        this.folder = folder;
    }

    @Override
    public Map<String, Object> look() throws IOException {
        Map<String, Object> look = new LinkedHashMap<>();
        look.put("kind", "run");
        look.put("name", folder.toAbsolutePath().normalize().getFileName().toString());
        look.put("run", run());
        return look;
    }

    @Override
    public Object answer(String question, JsonNode about, BooleanSupplier cancelled) throws IOException {
        if (!question.equals("run")) {
            throw new IllegalArgumentException("nobody answers '" + question + "'");
        }
        return run();
    }

    @Override
    public Optional<Path> file(String name) throws IOException {
        return pictures().contains(name) ? Optional.of(folder.resolve(name)) : Optional.empty();
    }

    private Map<String, Object> run() throws IOException {
        RunManifest manifest = RunManifest.read(folder);
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("what", manifest.what());
        run.put("status", manifest.status());
        run.put("message", manifest.message());
        run.put("started", manifest.started().toString());
        run.put("configuration", manifest.configuration());
        run.put("metrics", metrics());
        run.put("pictures", pictures());
        run.put("at", System.currentTimeMillis());
        JsonNode result = json("result.json");
        JsonNode truth = json("truth.json").path("logEvidence");
        run.put("result", figures(result));
        run.put("truth", truth.isNumber() ? truth.asDouble() : null);
        if (result.path("marginals").isObject()) {
            List<Object> marginals = new ArrayList<>();
            result.path("marginals").properties().forEach(each ->
                    marginals.add(Map.of("name", each.getKey(), "states", each.getValue())));
            run.put("marginals", marginals);
        }
        return run;
    }

    /** What the run found, but for what is shown in a form of its own. */
    private static Map<String, Object> figures(JsonNode result) {
        Map<String, Object> figures = new LinkedHashMap<>();
        result.properties().forEach(each -> {
            if (each.getValue().isNumber()) {
                figures.put(each.getKey(), each.getValue().asDouble());
            } else if (each.getValue().isTextual()) {
                figures.put(each.getKey(), each.getValue().asText());
            }
        });
        return figures;
    }

    /** A file of the run; one without fields if it is not there yet. */
    private JsonNode json(String name) throws IOException {
        Path file = folder.resolve(name);
        return Json.read(Files.exists(file) ? Files.readAllBytes(file) : "{}".getBytes(StandardCharsets.UTF_8));
    }

    private List<String> pictures() throws IOException {
        return names("*.png");
    }

    private List<String> names(String glob) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        names.sort(null);
        return names;
    }

    /** What the run has written down of its steps: {name, columns, rows} of each file. */
    private List<Object> metrics() throws IOException {
        List<Object> all = new ArrayList<>();
        for (String name : names("metrics*.csv")) {
            if (Files.size(folder.resolve(name)) == 0) {
                continue; // made a moment ago
            }
            List<List<String>> lines = CsvFile.read(folder.resolve(name)).rows();
            if (lines.size() > 1) {
                int step = 1 + (lines.size() - 2) / POINTS;
                all.add(Map.of("name", name, "columns", lines.get(0), "rows", IntStream.range(1, lines.size())
                        .filter(i -> (lines.size() - 1 - i) % step == 0).mapToObj(i -> numbers(lines.get(i)))
                        .toList()));
            }
        }
        return all;
    }

    private static double[] numbers(List<String> cells) {
        double[] numbers = new double[cells.size()];
        Arrays.setAll(numbers, c -> {
            try {
                return Double.parseDouble(cells.get(c));
            } catch (NumberFormatException e) {
                return Double.NaN; // a word, or a line that is being written
            }
        });
        return numbers;
    }
}
