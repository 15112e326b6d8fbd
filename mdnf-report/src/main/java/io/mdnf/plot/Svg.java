package io.mdnf.plot;

import static io.mdnf.plot.Markup.attributes;
import static io.mdnf.plot.Markup.number;

import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a scene as SVG: well-formed XML without ids, scripts or references to anything outside. */
final class Svg {
    /** No figure is shown smaller than this part of its width: text would become too small to read. */
    private static final double SMALLEST = 0.85;

    private Svg() {
    }

    /** A file of its own: with a background and its own rules for dark. */
    static String file(Scene scene, String label) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg(scene, label, "<style>" + Ink.darkStyle()
                + "</style>\n" + mark(new Mark.Box(0, 0, scene.width(), scene.height(), Paint.fill(Ink.PAPER))));
    }

    /** An element of a page that holds the rules for dark. */
    static String inline(Scene scene, String label) {
        return svg(scene, label, "");
    }

    private static String svg(Scene scene, String label, String first) {
        return "<svg" + attributes("xmlns", "http://www.w3.org/2000/svg", "class", "plot", "role", "img",
                "aria-label", label, "width", scene.width(), "height", scene.height(),
                "viewBox", "0 0 " + number(scene.width()) + " " + number(scene.height()),
                "style", "max-width:100%;height:auto;min-width:" + number(SMALLEST * scene.width()) + "px",
                "font-family", "system-ui, 'DejaVu Sans', Arial, sans-serif")
                + ">\n" + first + marks(scene.marks()) + "</svg>\n";
    }

    private static String marks(List<Mark> marks) {
        return marks.stream().map(Svg::mark).collect(Collectors.joining());
    }

    private static String mark(Mark mark) {
        if (mark instanceof Mark.Box box) {
            return "<rect" + rectangle(box.x(), box.y(), box.width(), box.height()) + paint(box.paint()) + "/>\n";
        }
        if (mark instanceof Mark.Path path) {
            String points = path.points().stream().map(p -> number(p.x()) + "," + number(p.y()))
                    .collect(Collectors.joining(" "));
            return (path.closed() ? "<polygon" : "<polyline") + attributes("points", points) + paint(path.paint())
                    + "/>\n";
        }
        if (mark instanceof Mark.Circle circle) {
            return "<circle" + attributes("cx", circle.x(), "cy", circle.y(), "r", circle.radius())
                    + paint(circle.paint()) + "/>\n";
        }
        if (mark instanceof Mark.Text text) {
            return text(text);
        }
        if (mark instanceof Mark.Picture picture) {
            return "<image" + rectangle(picture.x(), picture.y(), picture.width(), picture.height())
                    + attributes("preserveAspectRatio", "none", "style", "image-rendering:pixelated", "href",
                    "data:image/png;base64," + Base64.getEncoder().encodeToString(picture.image().bytes())) + "/>\n";
        }
        if (mark instanceof Mark.Titled titled) {
            return "<g><title>" + Markup.escape(titled.title()) + "</title>\n" + marks(titled.marks()) + "</g>\n";
        }
        Mark.Window window = (Mark.Window) mark;
        // An inner svg clips without the ids that clipPath needs, which would clash within one page.
        return "<svg" + attributes("overflow", "hidden")
                + rectangle(window.x(), window.y(), window.width(), window.height())
                + attributes("viewBox", number(window.x()) + " " + number(window.y()) + " " + number(window.width())
                + " " + number(window.height())) + ">\n" + marks(window.marks()) + "</svg>\n";
    }

    private static String text(Mark.Text text) {
        String anchor = text.anchor().name().toLowerCase(Locale.ROOT);
        return "<text" + attributes("x", text.x(), "y", text.y(), "font-size", text.size(),
                "text-anchor", text.anchor() == Mark.Anchor.START ? null : anchor,
                "font-weight", text.bold() ? "bold" : null,
                "transform", text.upwards() ? "rotate(-90 " + number(text.x()) + " " + number(text.y()) + ")" : null)
                + paint(Paint.fill(text.ink())) + ">" + Markup.escape(text.text()) + "</text>\n";
    }

    private static String rectangle(double x, double y, double width, double height) {
        return attributes("x", x, "y", y, "width", width, "height", height);
    }

    private static String paint(Paint paint) {
        Ink fill = paint.fill();
        Ink stroke = paint.stroke();
        String words = (word("f-", fill) + word("s-", stroke)).strip();
        StringBuilder dashes = new StringBuilder();
        for (float length : paint.dash().lengths) {
            dashes.append(dashes.isEmpty() ? "" : " ").append(number(length));
        }
        return attributes("fill", fill == null ? "none" : Ink.hex(fill.light()),
                "fill-opacity", fill == null || paint.opacity() == 1 ? null : paint.opacity())
                + (stroke == null ? "" : attributes("stroke", Ink.hex(stroke.light()), "stroke-linejoin", "round",
                "stroke-width", paint.width(), "stroke-dasharray", dashes.isEmpty() ? null : dashes))
                + attributes("class", words.isEmpty() ? null : words);
    }

    /** The style sheet's word for a colour that differs in light and dark. */
    private static String word(String prefix, Ink ink) {
        return ink == null || ink.name() == null ? "" : prefix + ink.name() + " ";
    }
}
