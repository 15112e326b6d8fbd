package io.mdnf.parity;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a build says, whichever tool reads it.
 *
 * @param project group and version
 * @param javaRelease the Java release compiled for
 * @param catalog version of every library known by name, {@code group:artifact -> version}
 * @param modules what every module depends on, by module name and {@code group:artifact}
 * @param constraints what the bill of materials holds together
 */
record Build(String project, String javaRelease, SortedMap<String, String> catalog,
             SortedMap<String, SortedMap<String, Dependency>> modules, SortedSet<String> constraints) {

    /** Version of a dependency that an imported bill of materials decides. */
    static final String BY_BOM = "by bom";

    /** A dependency as one module has it. */
    record Dependency(String version, Scope scope, SortedSet<String> exclusions) { }

    /** Maven's scopes, the strongest first. */
    enum Scope { COMPILE, PROVIDED, RUNTIME, TEST }

    /** Adds a dependency; of two with the same name the stronger scope stays, as both tools have it on a class path. */
    static void add(Map<String, Dependency> dependencies, String name, Dependency dependency) {
        dependencies.merge(name, dependency, (a, b) -> a.scope().compareTo(b.scope()) <= 0 ? a : b);
    }

    static Build of(String project, String javaRelease, Map<String, String> catalog,
                    Map<String, SortedMap<String, Dependency>> modules, SortedSet<String> constraints) {
        return new Build(
                project, javaRelease, new TreeMap<>(catalog), new TreeMap<>(modules), new TreeSet<>(constraints));
    }
}
