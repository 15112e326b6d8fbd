plugins { `java-library` }

dependencies {
    api(project(":mdnf-report"))
    implementation(project(":mdnf-core"))
    implementation(project(":mdnf-bn"))
    implementation(project(":mdnf-vae"))
    implementation(project(":mdnf-gmm"))
    implementation(libs.commons.io)
    implementation(libs.jackson.databind)
}
