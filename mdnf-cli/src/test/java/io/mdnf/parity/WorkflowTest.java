package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.dataformat.yaml.YAMLMapper;

/** What hosted machines run is bounded, pinned, may only read, and is what the pages tell a contributor to run. */
class WorkflowTest {

    private static final String FILE = ".github/workflows/ci.yml";
    private static final Pattern ACTION = Pattern.compile("[\\w-]+/[\\w-]+@[0-9a-f]{40}");
    private static final Pattern USES = Pattern.compile("(?m)uses: (?!\\S+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+$).*");

    private static String read(String file) throws IOException {
        return Files.readString(SourceTree.root().resolve(file));
    }

    private static List<String> problems(String workflow) throws IOException {
        JsonNode yaml = new YAMLMapper().readTree(workflow);
        List<String> problems = new ArrayList<>();
        check(problems, yaml.path("permissions").toString().equals("{\"contents\":\"read\"}"), "may only read");
        check(problems, yaml.path("concurrency").has("group"), "runs of one branch take turns");
        check(problems, yaml.path("on").path("push").has("branches") && yaml.path("on").has("pull_request")
                && yaml.path("on").size() == 2, "runs on pushes to main and on pull requests");
        USES.matcher(workflow).results().forEach(found -> problems.add("not named by its version: " + found.group()));
        String pages = Stream.of(read("README.md"), read("CONTRIBUTING.md"), read("docs/gpu.md"))
                .map(page -> page.replaceAll("\\s+", " ")).reduce("", String::concat);
        yaml.path("jobs").fields().forEachRemaining(entry -> {
            JsonNode job = entry.getValue();
            String name = entry.getKey();
            check(problems, job.path("timeout-minutes").asInt() > 0, name + " ends");
            check(problems, !job.has("permissions"), name + " may no more than the others");
            for (JsonNode step : job.path("steps")) {
                String action = step.path("uses").asText();
                String command = step.path("run").asText();
                check(problems, !command.isEmpty() || ACTION.matcher(action).matches(), name + " pins " + action);
                check(problems, !action.startsWith("actions/checkout@")
                        || step.at("/with/persist-credentials").asText().equals("false"), name + " keeps no token");
                check(problems, pages.contains(command), name + ": a page says " + command);
            }
        });
        for (String wanted : List.of("mvn -B verify", "./gradlew build", "-Pquick", "InChromiumTest", "-Pemulated-gpu",
                "-Prelease", "ubuntu-", "macos-", "windows-")) {
            check(problems, workflow.contains(wanted), "there is " + wanted);
        }
        return problems;
    }

    private static void check(List<String> problems, boolean holds, String what) {
        if (!holds) {
            problems.add("not so: " + what);
        }
    }

    @Test
    void followsTheRules() throws IOException {
        assertThat(problems(read(FILE))).isEmpty();
    }

    /** It is the only one: another would be held to nothing. */
    @Test
    void isAlone() throws IOException {
        Path root = SourceTree.root();
        try (Stream<Path> files = Files.walk(root.resolve(".github"))) {
            assertThat(files.filter(Files::isRegularFile).toList()).containsExactly(root.resolve(FILE));
        }
    }

    /** Regex, replacement, and what is reported then. */
    static Stream<Arguments> edits() {
        return Stream.of(
                arguments("contents: read", "contents: write", "may only read"),
                arguments("(?m)^concurrency:", "other:", "take turns"),
                arguments("pull_request:", "pull_request_target:", "pull requests"),
                arguments("timeout-minutes: 30", "name: x", "browser ends"),
                arguments("checkout@[0-9a-f]+ # v5.0.0", "checkout@v5", "gradle pins actions/checkout@v5"),
                arguments("(checkout@[0-9a-f]+) # v5.0.0", "$1", "not named by its version: uses: actions/checkout@"),
                arguments("persist-credentials: false", "fetch-depth: 0", "maven keeps no token"),
                arguments("mvn -B verify", "mvn -B verify -DskipTests", "a page says mvn -B verify -DskipTests"),
                arguments("windows-2025", "ubuntu-22.04", "there is windows-"));
    }

    @ParameterizedTest(name = "{0} becomes {1}")
    @MethodSource("edits")
    void namesWhatIsWrong(String from, String to, String reported) throws IOException {
        String before = read(FILE);
        String after = before.replaceAll(from, to);
        assertThat(after).isNotEqualTo(before);
        assertThat(problems(after)).anyMatch(problem -> problem.contains(reported));
    }
}
