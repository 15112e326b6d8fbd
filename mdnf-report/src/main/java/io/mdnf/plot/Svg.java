package io.mdnf.plot;

import java.util.Base64;
import java.util.Locale;

/** Writes a scene as SVG: well-formed XML without ids, scripts or references to anything outside. */
final class Svg {
    /** No figure is shown smaller than this part of its width: text would become too small to read. */
    private static final double SMALLEST = 0.85;

    private final StringBuilder out = new StringBuilder();

    private Svg() {
    }

    /** A file of its own: with a background and its own rules for dark. */
    static String file(Scene scene, String label) {
        Svg svg = new Svg();
        svg.out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        svg.open(scene, label);
        svg.out.append("<style>").append(Ink.darkStyle()).append("</style>\n");
        svg.mark(new Mark.Box(0, 0, scene.width(), scene.height(), Paint.fill(Ink.PAPER)));
        return svg.close(scene);
    }

    /** An element of a page that holds the rules for dark. */
    static String inline(Scene scene, String label) {
        Svg svg = new Svg();
        svg.open(scene, label);
        return svg.close(scene);
    }

    private void open(Scene scene, String label) {
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\"")
                .append(" aria-label=\"").append(escape(label)).append('"')
                .append(" width=\"").append(number(scene.width())).append('"')
                .append(" height=\"").append(number(scene.height())).append('"')
                .append(" viewBox=\"0 0 ").append(number(scene.width())).append(' ')
                .append(number(scene.height())).append('"')
                .append(" style=\"max-width:100%;height:auto;min-width:")
                .append(number(SMALLEST * scene.width())).append("px\"")
                .append(" font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">\n");
    }

    private String close(Scene scene) {
        scene.marks().forEach(this::mark);
        return out.append("</svg>\n").toString();
    }

    private void mark(Mark mark) {
        if (mark instanceof Mark.Box box) {
            out.append("<rect");
            rectangle(box.x(), box.y(), box.width(), box.height());
            paint(box.paint());
            out.append("/>\n");
        } else if (mark instanceof Mark.Path path) {
            path(path);
        } else if (mark instanceof Mark.Circle circle) {
            out.append("<circle");
            attribute("cx", circle.x());
            attribute("cy", circle.y());
            attribute("r", circle.radius());
            paint(circle.paint());
            out.append("/>\n");
        } else if (mark instanceof Mark.Text text) {
            text(text);
        } else if (mark instanceof Mark.Picture picture) {
            out.append("<image");
            rectangle(picture.x(), picture.y(), picture.width(), picture.height());
            out.append(" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"")
                    .append(" href=\"data:image/png;base64,")
                    .append(Base64.getEncoder().encodeToString(picture.image().bytes())).append("\"/>\n");
        } else if (mark instanceof Mark.Titled titled) {
            out.append("<g><title>").append(escape(titled.title())).append("</title>\n");
            titled.marks().forEach(this::mark);
            out.append("</g>\n");
        } else if (mark instanceof Mark.Window window) {
            // An inner svg clips without the ids that clipPath needs, which would clash within one page.
            out.append("<svg overflow=\"hidden\"");
            rectangle(window.x(), window.y(), window.width(), window.height());
            out.append(" viewBox=\"").append(number(window.x())).append(' ').append(number(window.y())).append(' ')
                    .append(number(window.width())).append(' ').append(number(window.height())).append("\">\n");
            window.marks().forEach(this::mark);
            out.append("</svg>\n");
        }
    }

    private void path(Mark.Path path) {
        out.append(path.closed() ? "<polygon" : "<polyline").append(" points=\"");
        String separator = "";
        for (Mark.Point point : path.points()) {
            out.append(separator).append(number(point.x())).append(',').append(number(point.y()));
            separator = " ";
        }
        out.append('"');
        paint(path.paint());
        out.append("/>\n");
    }

    private void text(Mark.Text text) {
        out.append("<text");
        attribute("x", text.x());
        attribute("y", text.y());
        attribute("font-size", text.size());
        if (text.anchor() != Mark.Anchor.START) {
            out.append(" text-anchor=\"").append(text.anchor().name().toLowerCase(Locale.ROOT)).append('"');
        }
        if (text.bold()) {
            out.append(" font-weight=\"bold\"");
        }
        if (text.upwards()) {
            out.append(" transform=\"rotate(-90 ").append(number(text.x())).append(' ').append(number(text.y()))
                    .append(")\"");
        }
        paint(Paint.fill(text.ink()));
        out.append('>').append(escape(text.text())).append("</text>\n");
    }

    private void rectangle(double x, double y, double width, double height) {
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", height);
    }

    private void paint(Paint paint) {
        String words = "";
        if (paint.fill() == null) {
            out.append(" fill=\"none\"");
        } else {
            out.append(" fill=\"").append(Ink.hex(paint.fill().light())).append('"');
            if (paint.opacity() < 1) {
                attribute("fill-opacity", paint.opacity());
            }
            words = paint.fill().name() == null ? "" : "f-" + paint.fill().name();
        }
        if (paint.stroke() != null) {
            out.append(" stroke=\"").append(Ink.hex(paint.stroke().light())).append("\" stroke-linejoin=\"round\"");
            attribute("stroke-width", paint.width());
            if (paint.dash() != Paint.Dash.SOLID) {
                StringBuilder lengths = new StringBuilder();
                for (float length : paint.dash().lengths()) {
                    lengths.append(lengths.isEmpty() ? "" : " ").append(number(length));
                }
                out.append(" stroke-dasharray=\"").append(lengths).append('"');
            }
            words += paint.stroke().name() == null ? "" : " s-" + paint.stroke().name();
        }
        if (!words.isBlank()) {
            out.append(" class=\"").append(words.strip()).append('"');
        }
    }

    private void attribute(String name, double value) {
        out.append(' ').append(name).append("=\"").append(number(value)).append('"');
    }

    /** Hundredths of a pixel, without needless zeros. */
    private static String number(double value) {
        double rounded = Math.round(value * 100) / 100.0;
        return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
    }

    private static String escape(String text) {
        return Markup.escape(text);
    }
}
