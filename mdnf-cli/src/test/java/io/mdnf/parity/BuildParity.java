package io.mdnf.parity;

import io.mdnf.parity.Build.Dependency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Compares the two builds of one tree and names every difference. */
final class BuildParity {
    private BuildParity() { }

    static List<String> differences(Path root) throws IOException {
        Set<String> differences = new TreeSet<>();
        for (String backend : List.of("native", "cuda")) {
            differences.addAll(differences(GradleBuild.read(root, backend), MavenBuild.read(root, backend)));
        }
        return new ArrayList<>(differences);
    }

    private static List<String> differences(Build gradle, Build maven) {
        List<String> found = new ArrayList<>();
        compare(found, "project", gradle.project(), maven.project());
        compare(found, "Java release", gradle.javaRelease(), maven.javaRelease());
        compareMaps(found, "version of ", gradle.catalog(), maven.catalog());
        compare(found, "bill of materials", gradle.constraints(), maven.constraints());
        for (String module : union(gradle.modules(), maven.modules())) {
            Map<String, Dependency> left = gradle.modules().get(module);
            Map<String, Dependency> right = maven.modules().get(module);
            if (left == null || right == null) {
                found.add("module " + module + ": only in " + (left == null ? "Maven" : "Gradle"));
            } else {
                compareMaps(found, module + " -> ", left, right);
            }
        }
        return found;
    }

    private static <V> void compareMaps(List<String> found, String what, Map<String, V> gradle, Map<String, V> maven) {
        for (String key : union(gradle, maven)) {
            compare(found, what + key, gradle.get(key), maven.get(key));
        }
    }

    private static void compare(List<String> found, String what, Object gradle, Object maven) {
        if (!Objects.equals(gradle, maven)) {
            found.add(what + ": Gradle " + shown(gradle) + ", Maven " + shown(maven));
        }
    }

    private static String shown(Object value) {
        return value == null ? "has none" : "has " + value;
    }

    private static Set<String> union(Map<String, ?> a, Map<String, ?> b) {
        Set<String> keys = new TreeSet<>(a.keySet());
        keys.addAll(b.keySet());
        return keys;
    }
}
