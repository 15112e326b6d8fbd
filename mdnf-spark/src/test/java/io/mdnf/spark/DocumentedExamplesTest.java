package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in this module's Javadoc and in docs/cluster.md compile; those of others are compiled by mdnf-cli. */
class DocumentedExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("(?:<pre>\\{@code|```java)\n(.*?)\n(?:\\s*\\* }</pre>|```)",
            Pattern.DOTALL);
    private static final String UNIT = """
            import io.mdnf.bn.*;
            import io.mdnf.spark.*;
            import io.mdnf.work.*;
            import java.util.*;
            import org.apache.spark.*;
            import org.apache.spark.api.java.*;
            class Example%d {
                SparkConf conf;
                JavaSparkContext spark;
                BayesianNetwork network;
                JavaRDD<int[]> cases;
                List<String> columns;
                JavaRDD<List<String>> rows;
                List<String> pieces;
                Workers.Work<String, String> work;
                Workers.Taker<String> taker;

                void example() throws Exception {
                    %s
                }
            }
            """;

    private static List<String> examples() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path file : Stream.concat(sources.filter(Files::isRegularFile).sorted(),
                    Stream.of(Path.of("../docs/cluster.md"))).toList()) {
                Matcher example = EXAMPLE.matcher(Files.readString(file));
                while (example.find()) {
                    found.add(example.group(1).lines().map(line -> line.replaceFirst("^\\s*\\* ?", ""))
                            .collect(Collectors.joining("\n")));
                }
            }
        }
        return found;
    }

    @Test
    void everyExampleCompiles(@TempDir Path folder) throws IOException {
        List<String> examples = examples();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(3);
        List<Path> units = new ArrayList<>();
        for (int i = 0; i < examples.size(); i++) {
            units.add(Files.writeString(folder.resolve("Example" + i + ".java"),
                    String.format(Locale.ROOT, UNIT, i, examples.get(i))));
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        try (var files = compiler.getStandardFileManager(told, Locale.ROOT, null)) {
            compiler.getTask(null, files, told, List.of("-proc:none", "-cp", System.getProperty("java.class.path"),
                    "-d", folder.toString()), null, files.getJavaFileObjectsFromPaths(units)).call();
        }
        assertThat(told.getDiagnostics().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR)).isEmpty();
    }
}
