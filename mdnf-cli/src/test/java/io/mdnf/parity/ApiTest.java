package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is API is said once and holds: a public type of mdnf-core is API unless its Javadoc says "Internal:", or that of
 * its room does and does not link to it as an exception. docs/api.md names them all.
 */
class ApiTest {

    private static final Pattern TYPE = Pattern.compile("io\\.mdnf\\.\\w+\\.[A-Z]\\w*");
    private static final Pattern LINK = Pattern.compile("\\{@link (io\\.mdnf\\.\\w+\\.[A-Z]\\w*)");

    private static final Set<String> API = new TreeSet<>();
    private static final Set<String> INTERNAL = new TreeSet<>();

    @BeforeAll
    static void readWhatTheSourcesSay() throws IOException {
        Path sources = SourceTree.root().resolve("mdnf-core/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().matches(".*[A-Z]\\w*\\.java")).toList()) {
                String name = sources.relativize(file).toString().replaceAll("[/\\\\]", ".").replace(".java", "");
                if (Modifier.isPublic(type(name).getModifiers())) {
                    (isInternal(file, name) ? INTERNAL : API).add(name);
                }
            }
        }
    }

    private static boolean isInternal(Path file, String name) throws IOException {
        String room = Files.readString(file.resolveSibling("package-info.java"));
        int said = room.indexOf("<p>Internal");
        return Files.readString(file).contains("\n * <p>Internal:") || said >= 0
                && LINK.matcher(room.substring(said)).results().noneMatch(link -> link.group(1).equals(name));
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void signaturesOfTheApiShowNothingInternal() {
        Set<String> wrong = new TreeSet<>();
        for (String name : API) {
            for (String shown : shown(type(name))) {
                if (INTERNAL.contains(shown)) {
                    wrong.add(name + " shows " + shown);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The types that a type and its public nested ones show in supertypes, members and arguments. */
    private static Set<String> shown(Class<?> type) {
        Set<String> shown = new TreeSet<>();
        Stream.of(List.of(type.toGenericString()),
                Arrays.stream(type.getGenericInterfaces()).map(Object::toString).toList(),
                Arrays.stream(type.getDeclaredFields()).filter(f -> isSeen(f.getModifiers()))
                        .map(f -> f.toGenericString()).toList(),
                executables(type.getDeclaredConstructors()), executables(type.getDeclaredMethods()))
                .flatMap(Collection::stream)
                .forEach(text -> TYPE.matcher(text).results().map(MatchResult::group).forEach(shown::add));
        Arrays.stream(type.getDeclaredClasses()).filter(c -> isSeen(c.getModifiers()))
                .forEach(c -> shown.addAll(shown(c)));
        return shown;
    }

    private static List<String> executables(Executable... all) {
        return Arrays.stream(all).filter(e -> isSeen(e.getModifiers()) && !e.isSynthetic())
                .map(Executable::toGenericString).toList();
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    @Test
    void theDocumentedPageNamesEveryTypeOfTheApiAndHowManyThereAre() throws IOException {
        String page = Files.readString(SourceTree.root().resolve("docs/api.md"));
        assertThat(API).allMatch(name -> page.contains(word(name)));
        assertThat(INTERNAL).noneMatch(name -> page.contains(word(name)));
        assertThat(page).contains(API.size() + " of " + (API.size() + INTERNAL.size()) + " public types");
    }

    private static String word(String name) {
        return "`" + name.substring(name.lastIndexOf('.') + 1) + "`";
    }
}
