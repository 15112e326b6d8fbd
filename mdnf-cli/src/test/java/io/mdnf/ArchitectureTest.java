package io.mdnf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.mdnf.parity.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rooms of the house, over all modules: a room depends only on rooms named before it, so there are no cycles. */
class ArchitectureTest {

    /** docs/architecture.md has the same list, with what lives in each room. */
    private static final List<String> ROOMS = List.of("space", "random", "file", "work", "elimination", "graph",
            "checkpoint", "base", "network", "flow", "mixture", "distribution", "target", "objective", "training",
            "search", "inference", "relaxation", "evaluation", "fit", "test", "uai", "bn", "gmm", "vae", "mnist",
            "dl4j", "plot", "report", "experiments", "explorer", "cli", "spark");

    private static final Set<String> APPLICATIONS = Set.of("uai", "bn", "gmm", "vae", "mnist", "dl4j");

    /** The applications that know another: whom they know. */
    private static final Map<String, String> KNOWN = Map.of("bn", "uai", "mnist", "vae");

    /** But for those of spark, whose module builds on this one: nobody can look into it. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // the profile emulated-gpu has them elsewhere
            .withImportOption(location -> !location.contains("/test-classes/")).importPackages("io.mdnf");

    @Test
    void everyPackageIsARoomThatIsListed() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : SourceTree.java("src/main/java")) {
            found.add(file.getParent().toString().replaceFirst(".*src/main/java/", ""));
        }
        assertThat(found).isEqualTo(ROOMS.stream().map(room -> "io/mdnf/" + room)
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** What the rules below say of all other modules, by the imports of the one that is not seen here. */
    @Test
    void sparkUsesNoNd4jAndDoesNotPrint() throws IOException {
        for (Path file : SourceTree.java("src/main/java/io/mdnf/spark")) {
            assertThat(Files.readString(file)).as(file.toString())
                    .doesNotContain("org.nd4j", "org.bytedeco", "System.out", "System.err");
        }
    }

    @Test
    void roomsDependOnlyOnRoomsBeforeThem() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass c : CLASSES) {
            for (Dependency d : c.getDirectDependenciesFromSelf()) {
                if (d.getTargetClass().getPackageName().startsWith("io.mdnf.")
                        && !mayLookInto(room(c), room(d.getTargetClass()))) {
                    wrong.add(c.getSimpleName() + " of " + room(c) + " looks into " + room(d.getTargetClass()) + ": "
                            + d.getTargetClass().getSimpleName());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean mayLookInto(String from, String to) {
        boolean otherApplication = APPLICATIONS.contains(from) && APPLICATIONS.contains(to) && !from.equals(to)
                && !to.equals(KNOWN.get(from));
        return ROOMS.indexOf(to) <= ROOMS.indexOf(from) && !otherApplication;
    }

    private static String room(JavaClass c) {
        return c.getPackageName().substring("io.mdnf.".length());
    }

    /**
     * Some ND4J gradients are silently wrong, so in mdnf-core only the graph room, whose operations are checked, uses
     * ND4J.
     */
    @Test
    void nd4jStaysInTheGraphRoom() {
        // DataSetRows copies numbers out of DL4J's iterators and computes nothing
        noClasses().that().resideOutsideOfPackages("io.mdnf.graph", "io.mdnf.dl4j", "io.mdnf.cli")
                .and().doNotHaveFullyQualifiedName("io.mdnf.vae.DataSetRows")
                .should().dependOnClassesThat().resideInAnyPackage("org.nd4j..", "org.bytedeco..").check(CLASSES);
    }

    @Test
    void librariesDoNotPrint() {
        noClasses().that().resideOutsideOfPackages("io.mdnf.cli", "io.mdnf.report", "io.mdnf.experiments")
                .and().doNotHaveFullyQualifiedName("io.mdnf.graph.QuietAutodiff")
                .should().accessField(System.class, "out").orShould().accessField(System.class, "err").check(CLASSES);
    }
}
