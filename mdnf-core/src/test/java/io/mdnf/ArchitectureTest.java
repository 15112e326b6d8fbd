package io.mdnf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of mdnf-core and what may look into which. */
@AnalyzeClasses(packages = "io.mdnf", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** Some ND4J gradients are silently wrong, so only the graph room, whose operations are checked, may use ND4J. */
    @ArchTest
    static final ArchRule nd4jStaysInTheGraphRoom = noClasses()
            .that().resideOutsideOfPackage("io.mdnf.graph")
            .should().dependOnClassesThat().resideInAnyPackage("org.nd4j..", "org.bytedeco..");

    @ArchTest
    static final ArchRule packagesDependDownwards = layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("space").definedBy("io.mdnf.space")
            .layer("random").definedBy("io.mdnf.random")
            .layer("graph").definedBy("io.mdnf.graph")
            .layer("base").definedBy("io.mdnf.base")
            .layer("network").definedBy("io.mdnf.network")
            .layer("flow").definedBy("io.mdnf.flow")
            .layer("mixture").definedBy("io.mdnf.mixture")
            .layer("relaxation").definedBy("io.mdnf.relaxation")
            .layer("target").definedBy("io.mdnf.target")
            .layer("objective").definedBy("io.mdnf.objective")
            .layer("checkpoint").definedBy("io.mdnf.checkpoint")
            .optionalLayer("evaluation").definedBy("io.mdnf.evaluation")
            .layer("inference").definedBy("io.mdnf.inference")
            .whereLayer("space").mayOnlyBeAccessedByLayers("random", "graph", "base", "network", "flow", "mixture",
                    "relaxation", "target", "objective", "checkpoint", "evaluation", "inference")
            .whereLayer("random").mayOnlyBeAccessedByLayers("graph", "base", "network", "flow", "mixture", "relaxation",
                    "target", "objective", "checkpoint", "evaluation", "inference")
            .whereLayer("graph").mayOnlyBeAccessedByLayers("base", "network", "flow", "mixture", "relaxation", "target",
                    "objective", "checkpoint", "evaluation", "inference")
            .whereLayer("base").mayOnlyBeAccessedByLayers("mixture", "inference")
            .whereLayer("network").mayOnlyBeAccessedByLayers("flow", "mixture", "inference")
            .whereLayer("flow").mayOnlyBeAccessedByLayers("mixture", "inference")
            .whereLayer("mixture").mayOnlyBeAccessedByLayers("evaluation", "inference")
            .whereLayer("relaxation").mayOnlyBeAccessedByLayers("inference")
            .whereLayer("target").mayOnlyBeAccessedByLayers("evaluation", "inference")
            .whereLayer("objective").mayOnlyBeAccessedByLayers("inference")
            .whereLayer("checkpoint").mayOnlyBeAccessedByLayers("inference")
            .whereLayer("evaluation").mayOnlyBeAccessedByLayers("inference")
            .whereLayer("inference").mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule librariesDoNotPrint = noClasses()
            .that().doNotHaveFullyQualifiedName("io.mdnf.graph.QuietAutodiff")
            .should().accessField(System.class, "out").orShould().accessField(System.class, "err");
}
