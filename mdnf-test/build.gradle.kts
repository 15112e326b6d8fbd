plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    api(platform(libs.junit.bom))
    api(libs.junit.jupiter)
    implementation(libs.assertj.core)
    implementation(libs.commons.statistics.distribution)
}
