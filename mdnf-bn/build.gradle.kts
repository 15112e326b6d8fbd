plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))

    testImplementation(libs.jazzer.junit)
}
