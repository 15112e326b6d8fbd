pluginManagement { repositories { mavenCentral() } }

dependencyResolutionManagement {
    repositoriesMode.set(RepositoriesMode.FAIL_ON_PROJECT_REPOS)
    repositories { mavenCentral() }
}

rootProject.name = "mdnf"
include("mdnf-core", "mdnf-test", "mdnf-bn", "mdnf-vae", "mdnf-gmm", "mdnf-dl4j", "mdnf-report", "mdnf-experiments",
    "mdnf-explorer", "mdnf-cli", "mdnf-spark", "mdnf-bom")
