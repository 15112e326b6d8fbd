plugins {
    `java-library`
    application
}

dependencies {
    api(project(":mdnf-core"))
    api(project(":mdnf-bn"))
    implementation(project(":mdnf-cli"))
    runtimeOnly(libs.logback.classic)
    // What a cluster has. Left out: what no path of ours comes to, a second logger, and another Jackson than ours.
    compileOnly(libs.spark.core) {
        exclude(group = "org.rocksdb", module = "rocksdbjni")
        exclude(group = "org.fusesource.leveldbjni", module = "leveldbjni-all")
        exclude(group = "com.ibm.icu", module = "icu4j")
        exclude(group = "org.apache.zookeeper", module = "zookeeper")
        exclude(group = "org.apache.curator", module = "curator-recipes")
        exclude(group = "io.netty", module = "netty-tcnative-boringssl-static")
        exclude(group = "com.google.crypto.tink", module = "tink")
        exclude(group = "org.apache.avro", module = "avro")
        exclude(group = "org.apache.avro", module = "avro-mapred")
        exclude(group = "org.apache.logging.log4j", module = "log4j-slf4j2-impl")
        exclude(group = "com.fasterxml.jackson.core", module = "jackson-databind")
        exclude(group = "com.fasterxml.jackson.core", module = "jackson-core")
        exclude(group = "com.fasterxml.jackson.core", module = "jackson-annotations")
    }
    compileOnly(libs.jackson.scala)
}

application {
    mainClass.set("io.mdnf.spark.Application")
}

// Tests run on what a cluster has, and so does the launcher `mdnf --master`.
val spark by configurations.creating { extendsFrom(configurations.compileOnly.get()) }
configurations.testImplementation { extendsFrom(configurations.compileOnly.get()) }

/** Writes, for the launcher, what is sent to a cluster and what a cluster has. */
val writeClasspath by tasks.registering {
    val sent = sourceSets.main.get().runtimeClasspath
    val there: FileCollection = spark
    val backend = providers.gradleProperty("backend").getOrElse("native")
    val own = layout.buildDirectory.file("mdnf-$backend.classpath")
    val its = layout.buildDirectory.file("spark.classpath")
    inputs.files(sent, there)
    outputs.files(own, its)
    doLast {
        own.get().asFile.writeText(sent.asPath)
        its.get().asFile.writeText(there.asPath)
    }
}
