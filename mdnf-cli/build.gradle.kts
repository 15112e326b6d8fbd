plugins { application }

dependencies {
    implementation(project(":mdnf-core"))
    implementation(project(":mdnf-bn"))
    implementation(project(":mdnf-vae"))
    implementation(project(":mdnf-gmm"))
    implementation(project(":mdnf-experiments"))
    implementation(project(":mdnf-explorer"))
    implementation(libs.commons.statistics.descriptive)
    implementation(libs.commons.text)
    implementation(libs.commons.io)
    implementation(libs.picocli)
    implementation(libs.slf4j.api)
    implementation(libs.logback.classic)
    implementation(libs.jackson.databind)

    testImplementation(project(":mdnf-test"))
    testImplementation(project(":mdnf-dl4j"))
    testImplementation(libs.deeplearning4j.nn) {
        exclude(group = "it.unimi.dsi", module = "fastutil")
        exclude(group = "com.google.code.gson", module = "gson")
    }
    testImplementation(libs.jackson.toml)
    testImplementation(libs.archunit.junit5)
}

application {
    applicationName = "mdnf"
    mainClass.set("io.mdnf.cli.Main")
}

// The zip has the launcher of the source tree, which builds nothing where it stands beside `lib`.
tasks.startScripts { enabled = false }
distributions {
    main {
        contents {
            from(rootProject.files("LICENSE", "THIRD-PARTY.md"))
            into("bin") { from(rootProject.file("mdnf")) }
        }
    }
}

// One place states the version: gradle.properties here, the root pom.xml under Maven.
tasks.processResources {
    val release = project.version.toString()
    inputs.property("version", release)
    filesMatching("**/version.properties") { expand(mapOf("project" to mapOf("version" to release))) }
}

/** Writes the class path for the launcher `mdnf`, which starts Java without Gradle. */
val writeClasspath by tasks.registering {
    val classpath = sourceSets.main.get().runtimeClasspath
    val backend = providers.gradleProperty("backend").getOrElse("native")
    val target = layout.buildDirectory.file("mdnf-$backend.classpath")
    inputs.files(classpath)
    outputs.file(target)
    doLast { target.get().asFile.writeText(classpath.asPath) }
}

// The tests read both builds and every page of documentation, and run the launcher.
tasks.test {
    inputs.files(rootProject.allprojects.flatMap { listOf(it.file("pom.xml"), it.buildFile) })
    inputs.files(rootProject.fileTree("examples") { exclude("*/build", "*/target", "*/.gradle") })
    inputs.files(rootProject.fileTree("docs"))
    inputs.files(rootProject.files("mdnf", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
        "THIRD-PARTY.md", ".ci/run", ".github/workflows/ci.yml", ".mvn/maven.config",
        "gradle/libs.versions.toml", "gradle.properties", "settings.gradle.kts"))
}
