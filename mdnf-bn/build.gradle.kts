plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    implementation(libs.commons.text)

    testImplementation(libs.jazzer.junit)
}
