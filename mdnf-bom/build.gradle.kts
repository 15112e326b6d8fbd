plugins { `java-platform` }

dependencies {
    constraints {
        api(project(":mdnf-core"))
        api(project(":mdnf-test"))
        api(project(":mdnf-bn"))
        api(project(":mdnf-vae"))
        api(project(":mdnf-gmm"))
        api(project(":mdnf-dl4j"))
        api(project(":mdnf-report"))
        api(project(":mdnf-experiments"))
        api(project(":mdnf-explorer"))
        api(project(":mdnf-spark"))
    }
}
