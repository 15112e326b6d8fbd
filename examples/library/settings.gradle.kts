pluginManagement { repositories { mavenCentral() } }

rootProject.name = "mdnf-example"
