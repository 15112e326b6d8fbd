plugins { `java-library` }

dependencies {
    api(libs.nd4j.api)
    api(libs.commons.rng.simple)
    api(libs.commons.rng.sampling)
    implementation(libs.nd4j.native.api)
    implementation(libs.slf4j.api)
    implementation(libs.jackson.databind)
    implementation(libs.fastcsv)

    testImplementation(libs.commons.statistics.inference)
    testImplementation(libs.commons.statistics.distribution)
}
