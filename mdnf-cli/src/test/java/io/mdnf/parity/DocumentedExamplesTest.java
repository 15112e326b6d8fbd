package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples in Javadoc and in docs/api.md compile.
 *
 * <p>An example is what stands in {@code <pre>{@code ...}</pre>}, or in braces after "Example:". Names that it does
 * not declare itself are the fields of {@link Stage}, or of the stage of its package. Formulas stand in one line, or
 * in a plain {@code <pre>}.
 */
@Tag("slow")
class DocumentedExamplesTest {

    private static final Pattern BLOCK = Pattern.compile("<pre>\\{@code\n(.*?)\n\\s*\\* \\}</pre>", Pattern.DOTALL);
    private static final String SHORT = "Example: {@code ";
    private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum) ", Pattern.MULTILINE);

    /** A piece of documentation that must compile. */
    private record Example(String where, String room, String code) {

        /** A compilation unit of its own, in which the types of the room hide those of others. */
        String unit(String name, Map<String, List<String>> types, String stage) {
            String others = types.keySet().stream().map(other -> "import io.mdnf." + other + ".*;\n")
                    .collect(Collectors.joining());
            String own = types.getOrDefault(room, List.of()).stream()
                    .map(type -> "import io.mdnf." + room + "." + type + ";\n").collect(Collectors.joining());
            String statement = code.endsWith(";") || code.endsWith("}") ? code : code + ";";
            return "package examples;\nimport java.io.File;\nimport java.util.*;\n"
                    + "import java.nio.file.*;\nimport java.nio.charset.*;\n"
                    + "import org.apache.commons.rng.*;\nimport org.datavec.api.split.*;\n"
                    + "import org.datavec.api.records.reader.impl.csv.*;\n" + others + own
                    + "class " + name + " extends " + stage + " {\n    void example() throws Exception {\n" + statement
                    + "\n    }\n}\n";
        }
    }

    @Test
    void everyExampleCompiles(@TempDir Path folder) throws IOException {
        Map<String, List<String>> types = new TreeMap<>();
        List<Example> examples = new ArrayList<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            if (PUBLIC_TYPE.matcher(text).find()) {
                String room = file.getParent().getFileName().toString();
                String type = file.getFileName().toString().replace(".java", "");
                types.computeIfAbsent(room, r -> new ArrayList<>()).add(type);
                examplesOf(text).forEach(code -> examples.add(new Example(room + "." + type, room, code)));
            }
        }
        Matcher fenced = FENCED.matcher(Files.readString(SourceTree.root().resolve("docs/api.md")));
        while (fenced.find()) {
            examples.add(new Example("docs/api.md", "api", fenced.group(1).strip()));
        }
        assertThat(examples).as("examples found").hasSizeGreaterThan(60);
        assertThat(errors(examples, types, folder)).isEmpty();
    }

    /** Without the command, which has no examples, and mdnf-spark, which compiles its own. */
    private static List<Path> sources() throws IOException {
        return SourceTree.java("src/main").stream().filter(f -> !f.toString().matches(".*/mdnf-(cli|spark)/.*"))
                .toList();
    }

    private static List<String> examplesOf(String text) {
        List<String> found = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            found.add(plain(blocks.group(1)));
        }
        for (int at = text.indexOf(SHORT); at >= 0; at = text.indexOf(SHORT, at + 1)) {
            int end = at + SHORT.length();
            for (int open = 1; open > 0; end++) {
                open += text.charAt(end) == '{' ? 1 : text.charAt(end) == '}' ? -1 : 0;
            }
            found.add(plain(text.substring(at + SHORT.length(), end - 1)));
        }
        return found;
    }

    private static String plain(String comment) {
        return comment.lines().map(line -> line.replaceFirst("^\\s*\\* ?", ""))
                .collect(Collectors.joining("\n")).strip();
    }

    /** What the compiler says, each with the place of the example. */
    private static TreeSet<String> errors(List<Example> examples, Map<String, List<String>> types, Path folder)
            throws IOException {
        List<Path> units = new ArrayList<>();
        for (int i = 0; i < examples.size(); i++) {
            units.add(Files.writeString(folder.resolve("Example" + i + ".java"),
                    examples.get(i).unit("Example" + i, types, stage(examples.get(i).room))));
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (var files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            compiler.getTask(null, files, diagnostics, List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1000",
                    "-cp", System.getProperty("java.class.path"), "-d", folder.toString()), null,
                    files.getJavaFileObjectsFromPaths(units)).call();
        }
        TreeSet<String> errors = new TreeSet<>();
        for (var diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                String unit = Path.of(diagnostic.getSource().toUri()).getFileName().toString().replaceAll("\\D", "");
                Example example = examples.get(Integer.parseInt(unit));
                errors.add(example.where + ": " + diagnostic.getMessage(Locale.ROOT).replaceAll("\\s+", " ") + " in: "
                        + example.code);
            }
        }
        return errors;
    }

    private static String stage(String room) {
        Class<? extends Stage> stage = switch (room) {
            case "checkpoint" -> Stage.Checkpoints.class;
            case "space", "training" -> Stage.Numbers.class;
            case "relaxation" -> Stage.Relaxations.class;
            case "mixture" -> Stage.Mixtures.class;
            case "search" -> Stage.Searching.class;
            case "bn" -> Stage.Networks.class;
            case "gmm" -> Stage.Clusters.class;
            case "vae" -> Stage.Autoencoders.class;
            case "dl4j" -> Stage.Layers.class;
            case "report" -> Stage.Reports.class;
            default -> Stage.class;
        };
        return stage.getCanonicalName();
    }
}
