plugins {
    application
    // only this machine's natives, 110 MB instead of 700
    id("org.bytedeco.gradle-javacpp-platform") version "1.5.10"
}

repositories {
    mavenCentral()
    mavenLocal()
}

dependencies {
    implementation(platform("io.mdnf:mdnf-bom:0.1.0-SNAPSHOT"))
    implementation("io.mdnf:mdnf-bn")
    runtimeOnly("org.nd4j:nd4j-native-platform:1.0.0-M2.1") // or nd4j-cuda-11.6-platform
    runtimeOnly("org.slf4j:slf4j-nop:2.0.17") // ND4J logs by slf4j: nothing is shown
}

java { toolchain { languageVersion.set(JavaLanguageVersion.of(17)) } }

application { mainClass.set("example.AsiaPosterior") }
