package io.mdnf.parity;

import io.mdnf.parity.Build.Dependency;
import io.mdnf.parity.Build.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** Reads the poms without Maven: inheritance from the root, properties, managed versions and the backend's profile. */
final class MavenBuild {
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

    private final Path root;
    private final Element rootPom;
    private final Map<String, String> properties = new TreeMap<>();
    private final SortedMap<String, String> managed = new TreeMap<>();
    private final String project;

    private MavenBuild(Path root, String backend) throws IOException {
        this.root = root;
        rootPom = pom("pom.xml");
        project = text(rootPom, "groupId") + ":" + text(rootPom, "version");
        children(child(rootPom, "properties")).forEach(p -> properties.put(p.getTagName(), p.getTextContent().strip()));
        properties.put("project.version", text(rootPom, "version"));
        for (Element profile : children(child(rootPom, "profiles"))) {
            Element property = child(child(profile, "activation"), "property");
            if ("backend".equals(text(property, "name")) && backend.equals(text(property, "value"))) {
                children(child(profile, "properties"))
                        .forEach(p -> properties.put(p.getTagName(), p.getTextContent().strip()));
            }
        }
        for (Element dependency : dependencies(child(rootPom, "dependencyManagement"))) {
            managed.put(name(dependency), text(dependency, "version"));
        }
    }

    static Build read(Path root, String backend) throws IOException {
        return new MavenBuild(root, backend).build();
    }

    private Build build() throws IOException {
        SortedMap<String, SortedMap<String, Dependency>> modules = new TreeMap<>();
        SortedSet<String> constraints = new TreeSet<>();
        for (Element module : children(child(rootPom, "modules"))) {
            String name = module.getTextContent().strip();
            Element pom = pom(name + "/pom.xml");
            Element parent = child(pom, "parent");
            String its = text(parent == null ? pom : parent, "groupId") + ":"
                    + text(parent == null ? pom : parent, "version");
            if (!its.equals(project)) {
                throw new IllegalArgumentException(name + "/pom.xml is of " + its + ", pom.xml of " + project);
            }
            SortedMap<String, Dependency> dependencies = new TreeMap<>();
            if (parent != null) {
                // A module that names an inherited dependency again replaces it.
                dependencies(rootPom).forEach(d -> dependencies.put(name(d), dependency(d)));
            } else {
                dependencies(child(pom, "dependencyManagement")).forEach(d -> constraints.add(name(d)));
            }
            dependencies(pom).forEach(d -> dependencies.put(name(d), dependency(d)));
            modules.put(name, dependencies);
        }
        SortedMap<String, String> catalog = new TreeMap<>(managed);
        catalog.keySet().removeIf(name -> name.startsWith(project.substring(0, project.indexOf(':') + 1)));
        return Build.of(project, properties.get("maven.compiler.release"), catalog, modules, constraints);
    }

    /**
     * What a module's published pom says of itself, its own or inherited from the root: the texts of the elements that
     * Maven Central asks for, those that are missing left out.
     */
    static SortedMap<String, String> metadata(Path root, String module) throws IOException {
        MavenBuild build = new MavenBuild(root, "native");
        Element pom = build.pom(module + "/pom.xml");
        SortedMap<String, String> metadata = new TreeMap<>();
        boolean inherits = child(pom, "parent") != null;
        for (String tag : List.of("name", "description", "url", "licenses", "developers", "scm")) {
            Element its = child(pom, tag);
            if (its == null && inherits && !tag.equals("name")) {
                its = child(build.rootPom, tag);
            }
            if (its != null) {
                metadata.put(tag, its.getTextContent().strip().replaceAll("\\s+", " "));
            }
        }
        return metadata;
    }

    private Dependency dependency(Element dependency) {
        String version = text(dependency, "version");
        String scope = text(dependency, "scope");
        SortedSet<String> exclusions = new TreeSet<>();
        children(child(dependency, "exclusions")).forEach(e -> exclusions.add(name(e)));
        return new Dependency(
                version != null ? version : managed.getOrDefault(name(dependency), Build.BY_BOM),
                scope == null ? Scope.COMPILE : Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
                exclusions);
    }

    private String name(Element coordinates) {
        return text(coordinates, "groupId") + ":" + text(coordinates, "artifactId");
    }

    private static List<Element> dependencies(Element of) {
        return children(child(of, "dependencies"));
    }

    private String text(Element of, String tag) {
        Element child = child(of, tag);
        return child == null ? null : PROPERTY.matcher(child.getTextContent().strip()).replaceAll(match -> {
            String value = properties.get(match.group(1));
            if (value == null) {
                throw new IllegalArgumentException("pom.xml does not define ${" + match.group(1) + "}");
            }
            return value;
        });
    }

    private static Element child(Element of, String tag) {
        return children(of).stream().filter(child -> child.getTagName().equals(tag)).findFirst().orElse(null);
    }

    private static List<Element> children(Element of) {
        List<Element> children = new ArrayList<>();
        for (Node node = of == null ? null : of.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    private Element pom(String file) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(root.resolve(file).toFile()).getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is not XML", e);
        }
    }
}
