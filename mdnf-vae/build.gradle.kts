plugins { `java-library` }

dependencies {
    api(project(":mdnf-core"))
    implementation(libs.commons.compress)
    implementation(libs.commons.numbers.gamma)
    implementation(libs.commons.io)
    implementation(libs.deeplearning4j.core) {
        exclude(group = "org.deeplearning4j", module = "deeplearning4j-datasets")
        exclude(group = "org.deeplearning4j", module = "deeplearning4j-modelimport")
        exclude(group = "org.deeplearning4j", module = "deeplearning4j-ui-components")
        exclude(group = "org.datavec", module = "datavec-data-image")
        exclude(group = "com.github.oshi", module = "oshi-json")
        exclude(group = "com.sun.activation", module = "javax.activation")
    }
    implementation(libs.datavec.api)
}
