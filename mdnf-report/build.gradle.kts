plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    implementation(libs.commons.statistics.descriptive)
    implementation(libs.progressbar)
    implementation(libs.slf4j.api)
    implementation(libs.jackson.databind)
    implementation(libs.fastcsv)
}
