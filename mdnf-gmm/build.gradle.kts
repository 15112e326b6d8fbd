plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    implementation(libs.commons.math3)
    implementation(libs.commons.numbers.gamma)
    implementation(libs.jackson.databind)
}
