package io.mdnf.parity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import io.mdnf.parity.Build.Dependency;
import io.mdnf.parity.Build.Scope;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the Gradle build without Gradle. It knows the few constructs this project uses and refuses any other line in a
 * {@code dependencies} block, so that nothing slips through unread.
 */
final class GradleBuild {
    /** What runs here in the place of the published backend. */
    private static final String DEVICE = "device";
    private static final Pattern DEPENDENCY = Pattern.compile(
            "\"?(?<configuration>\\w+)\"?\\((?<platform>platform\\()?"
            + "(?:(?:rootProject\\.)?libs\\.(?<alias>[\\w.]+)"
            + "|project\\(\":(?<project>[\\w-]+)\"\\)|(?<backend>backend))"
            + "\\)?\\)(?:\\s*\\{(?<body>[^}]*)})?");
    private static final Pattern EXCLUSION =
            Pattern.compile("exclude\\(group = \"(?<group>[^\"]+)\", module = \"(?<module>[^\"]+)\"\\)");
    private static final Map<String, Scope> SCOPES = Map.of(
            "api", Scope.COMPILE, "implementation", Scope.COMPILE, "compileOnly", Scope.PROVIDED,
            "runtimeOnly", Scope.RUNTIME, DEVICE, Scope.RUNTIME, "testImplementation", Scope.TEST, "testRuntimeOnly",
            Scope.TEST);

    private final Path root;
    private final String version;
    private final String group;
    private final SortedMap<String, String> moduleByAlias = new TreeMap<>();
    private final SortedMap<String, String> catalog = new TreeMap<>();
    private final String rootScript;
    private final String backendAlias;

    private GradleBuild(Path root, String backend) throws IOException {
        this.root = root;
        Properties properties = new Properties();
        properties.load(new StringReader(read("gradle.properties")));
        group = properties.getProperty("group");
        version = properties.getProperty("version");
        readCatalog();
        rootScript = read("build.gradle.kts");
        backendAlias = one(rootScript, "\"" + backend + "\" -> libs\\.([\\w.]+)", "backend " + backend);
    }

    static Build read(Path root, String backend) throws IOException {
        return new GradleBuild(root, backend).build();
    }

    private Build build() throws IOException {
        SortedMap<String, SortedMap<String, Dependency>> modules = new TreeMap<>();
        SortedSet<String> constraints = new TreeSet<>();
        String included = one(read("settings.gradle.kts"), "include\\(([^)]*)\\)", "include(...)");
        for (MatchResult module : all("\"([^\"]+)\"", included)) {
            String name = module.group(1);
            String script = read(name + "/build.gradle.kts");
            String plugins = block(script, "plugins");
            SortedMap<String, Dependency> dependencies = new TreeMap<>();
            if (plugins.contains("java-platform")) {
                constraints.addAll(dependencies(block(block(script, "dependencies"), "constraints"), name).keySet());
            } else {
                dependencies.putAll(dependencies(block(script, "dependencies"), name));
                addShared("JavaPlugin", dependencies);
                if (plugins.contains("application")) {
                    addShared("ApplicationPlugin", dependencies);
                }
            }
            modules.put(name, dependencies);
        }
        String release = one(rootScript, "JavaLanguageVersion\\.of\\((\\d+)\\)", "JavaLanguageVersion");
        return Build.of(group + ":" + version, release, catalog, modules, constraints);
    }

    private void addShared(String plugin, Map<String, Dependency> dependencies) {
        String block = block(block(rootScript, "plugins.withType<" + plugin + ">"), "dependencies");
        dependencies(block, plugin).forEach((name, dependency) -> Build.add(dependencies, name, dependency));
    }

    private SortedMap<String, Dependency> dependencies(String block, String where) {
        SortedMap<String, Dependency> dependencies = new TreeMap<>();
        for (MatchResult found : all(DEPENDENCY.pattern(), block)) {
            Matcher line = DEPENDENCY.matcher(found.group());
            line.matches();
            if (line.group("platform") != null) {
                continue; // a bill of materials, compared with the catalog
            }
            String name = line.group("project") != null ? group + ":" + line.group("project")
                    : module(line.group("backend") != null ? backendAlias : line.group("alias"));
            String its = line.group("project") != null ? version : catalog.getOrDefault(name, Build.BY_BOM);
            Scope scope = SCOPES.get(line.group("configuration"));
            if (scope == null) {
                throw new IllegalArgumentException(where + ": unknown configuration in " + line.group());
            }
            SortedSet<String> exclusions = new TreeSet<>();
            String body = line.group("body") == null ? "" : line.group("body");
            for (MatchResult exclusion : all(EXCLUSION.pattern(), body)) {
                exclusions.add(exclusion.group(1) + ":" + exclusion.group(2));
            }
            allRead(EXCLUSION.matcher(body).replaceAll(""), where);
            if (line.group("configuration").equals(DEVICE)) {
                dependencies.keySet().removeIf(published -> published.startsWith("org.nd4j:"));
            }
            Build.add(dependencies, name, new Dependency(its, scope, exclusions));
        }
        allRead(DEPENDENCY.matcher(block).replaceAll(""), where);
        return dependencies;
    }

    private static void allRead(String rest, String where) {
        if (!rest.isBlank()) {
            throw new IllegalArgumentException(
                    where + ": cannot read '" + rest.strip() + "' in its Gradle dependencies");
        }
    }

    private String module(String alias) {
        String module = moduleByAlias.get(alias);
        if (module == null) {
            throw new IllegalArgumentException("libs." + alias + " is not in gradle/libs.versions.toml");
        }
        return module;
    }

    private void readCatalog() throws IOException {
        JsonNode toml = new TomlMapper().readTree(Files.readString(root.resolve("gradle/libs.versions.toml")));
        toml.get("libraries").properties().forEach(library -> {
            JsonNode entry = library.getValue();
            String module = entry.get("module").asText();
            moduleByAlias.put(library.getKey().replaceAll("[-_]", "."), module);
            JsonNode its = entry.get("version");
            if (its != null) {
                catalog.put(module, its.isTextual() ? its.asText()
                        : toml.get("versions").get(its.get("ref").asText()).asText());
            }
        });
    }

    /** The file without its comments, which may hold braces. */
    private String read(String file) throws IOException {
        return Files.readString(root.resolve(file)).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)^\\s*//.*$", "");
    }

    /** What stands between the braces after {@code name}; empty when there is no such block. */
    private static String block(String script, String name) {
        Matcher start = Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "\\s*\\{").matcher(script);
        if (!start.find()) {
            return "";
        }
        int depth = 1;
        int end = start.end();
        while (depth > 0) {
            depth += switch (script.charAt(end++)) {
                case '{' -> 1;
                case '}' -> -1;
                default -> 0;
            };
        }
        return script.substring(start.end(), end - 1);
    }

    private static String one(String text, String pattern, String what) {
        return all(pattern, text).stream().map(match -> match.group(1)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the Gradle build does not state " + what));
    }

    private static java.util.List<MatchResult> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }
}
