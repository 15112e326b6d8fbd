plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    api(libs.deeplearning4j.nn) {
        exclude(group = "it.unimi.dsi", module = "fastutil")
        exclude(group = "com.google.code.gson", module = "gson")
    }
}
