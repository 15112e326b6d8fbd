plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    api(project(":mdnf-bn"))
    api(project(":mdnf-vae"))
    implementation(project(":mdnf-report"))
    implementation(libs.jackson.databind)
    implementation(libs.slf4j.api)

    testImplementation(libs.selenium.chrome)
}
