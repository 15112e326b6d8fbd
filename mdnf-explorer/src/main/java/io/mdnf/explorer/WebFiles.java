package io.mdnf.explorer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page's own files: served one by one, or all in one file. */
final class WebFiles {

    private static final Map<String, String> TYPES = Map.of("html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8");
    private static final Pattern NAME = Pattern.compile("[a-z]+\\.(html|js|css)");
    private static final Pattern SCRIPT = Pattern.compile("<script src=\"([^\"]+)\"></script>");
    private static final Pattern STYLE = Pattern.compile("<link rel=\"stylesheet\" href=\"([^\"]+)\">");

    private WebFiles() {
    }

    static String type(String name) {
        return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    }

    /** A file's text; nothing if there is none of that name. */
    static Optional<String> text(String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        try (InputStream in = WebFiles.class.getResourceAsStream(name)) {
            return in == null ? Optional.empty()
                    : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** One page with everything in it: what it shows, the styles and the scripts. */
    static String alone(Object look) throws IOException {
        String page = text("index.html").orElseThrow();
        page = replaced(page, STYLE, "<style>\n", "</style>");
        page = replaced(page, SCRIPT, "<script>\n", "</script>");
        return page.replace("<noscript>", "<script type=\"application/json\" id=\"model\">" + Json.inScript(look)
                + "</script>\n<noscript>");
    }

    private static String replaced(String page, Pattern reference, String before, String after) throws IOException {
        StringBuilder whole = new StringBuilder();
        Matcher each = reference.matcher(page);
        while (each.find()) {
            each.appendReplacement(whole, Matcher.quoteReplacement(before + text(each.group(1)).orElseThrow() + after));
        }
        return each.appendTail(whole).toString();
    }
}
