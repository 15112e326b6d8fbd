plugins {
    base
    alias(libs.plugins.javacpp.platform) apply false
}

/** `-Pbackend=cuda` runs on the GPU backend; the CPU backend is the default. */
val backend = when (val name = providers.gradleProperty("backend").getOrElse("native")) {
    "native" -> libs.nd4j.native.platform
    "cuda" -> libs.nd4j.cuda.platform
    else -> error("unknown backend '$name': native or cuda")
}

/** `-Pplatforms=all` fetches the natives of every operating system; otherwise only this machine's. */
val everyPlatform = when (val name = providers.gradleProperty("platforms").getOrElse("host")) {
    "host" -> false
    "all" -> true
    else -> error("unknown platforms '$name': host or all")
}

/** `-Pquick` leaves out the tests tagged `slow`, and compiles only quickly what runs only briefly. */
val quick = providers.gradleProperty("quick").isPresent

/** `-Pcoverage` measures test coverage with JaCoCo. */
val coverage = providers.gradleProperty("coverage").isPresent

subprojects {
    plugins.withType<JavaPlugin> {
        if (!everyPlatform) {
            apply(plugin = "org.bytedeco.gradle-javacpp-platform")
        }
        if (coverage) {
            apply(plugin = "jacoco")
        }

        extensions.configure<JavaPluginExtension> {
            toolchain { languageVersion.set(JavaLanguageVersion.of(17)) }
            withSourcesJar()
            withJavadocJar()
        }
        dependencies {
            "testImplementation"(platform(rootProject.libs.junit.bom))
            "testImplementation"(rootProject.libs.junit.jupiter)
            "testImplementation"(rootProject.libs.assertj.core)
            "testImplementation"(rootProject.libs.logback.classic)
            "testRuntimeOnly"(rootProject.libs.junit.launcher)
            "testRuntimeOnly"(backend)
        }
        tasks.withType<JavaCompile>().configureEach {
            options.encoding = "UTF-8"
            options.compilerArgs.addAll(listOf("-Xlint:all,-processing", "-parameters"))
        }
        // As under Maven: a fault in a comment fails, an unwritten @param or @return does not.
        tasks.withType<Javadoc>().configureEach {
            with(options as StandardJavadocDocletOptions) {
                encoding = "UTF-8"
                addBooleanOption("Xdoclint:all,-missing", true)
                addBooleanOption("Werror", true)
            }
        }
        // Equal sources make equal archives.
        tasks.withType<AbstractArchiveTask>().configureEach {
            isPreserveFileTimestamps = false
            isReproducibleFileOrder = true
        }
        tasks.withType<Test>().configureEach {
            useJUnitPlatform { if (quick) excludeTags("slow") }
            // test JVMs live briefly: optimise only what is really hot, and do not ask the system for the process's size
            // at every native allocation
            jvmArgs("-XX:+UseSerialGC", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0")
            if (quick) {
                jvmArgs("-XX:TieredStopAtLevel=1")
            } else {
                jvmArgs("-XX:Tier4InvocationThreshold=200000", "-XX:Tier4MinInvocationThreshold=24000",
                    "-XX:Tier4CompileThreshold=600000", "-XX:Tier4BackEdgeThreshold=1600000")
            }
            maxHeapSize = "2g"
            maxParallelForks = Runtime.getRuntime().availableProcessors()
            environment("OMP_NUM_THREADS", "1")
            systemProperty("logback.configurationFile", rootProject.file("config/logback-test.xml").path)
        }
    }
    plugins.withType<ApplicationPlugin> {
        // What is published names the CPU backend, however it was built; what runs here is what -Pbackend says.
        val device = configurations.create("device")
        configurations.named("runtimeClasspath") {
            extendsFrom(device)
            if (backend != libs.nd4j.native.platform) {
                exclude(group = "org.nd4j", module = "nd4j-native-platform")
            }
        }
        dependencies {
            "runtimeOnly"(rootProject.libs.nd4j.native.platform)
            "device"(backend)
        }
    }

    apply(plugin = "maven-publish")
    afterEvaluate {
        extensions.configure<PublishingExtension> {
            publications.create<MavenPublication>("library") {
                from(components.findByName("java") ?: components["javaPlatform"])
                pom {
                    name.set(project.name)
                    description.set(providers.gradleProperty("description"))
                    url.set(providers.gradleProperty("url"))
                    licenses {
                        license {
                            name.set("Apache-2.0")
                            url.set("https://www.apache.org/licenses/LICENSE-2.0")
                        }
                    }
                    developers { developer { name.set("The MDNF developers") } }
                    scm { url.set(providers.gradleProperty("url")) }
                }
            }
        }
    }
}
