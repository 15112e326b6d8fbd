package io.mdnf.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;

/** Paints a scene in its light colours on white, two pixels for one. */
final class Raster {
    private static final int SCALE = 2;

    static {
        // Painting must not look for a display, which would fail where DISPLAY names none that answers.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private final Graphics2D graphics;

    private Raster(Graphics2D graphics) {
        this.graphics = graphics;
    }

    static BufferedImage paint(Scene scene) {
        requireFonts();
        BufferedImage image = new BufferedImage((int) Math.ceil(scene.width() * SCALE),
                (int) Math.ceil(scene.height() * SCALE), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
            graphics.scale(SCALE, SCALE);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            Raster raster = new Raster(graphics);
            scene.marks().forEach(raster::mark);
        } finally {
            graphics.dispose();
        }
        return image;
    }

    /** Java says by errors of several kinds that it has no fonts, and by others when asked again. */
    private static void requireFonts() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 1).getStringBounds("x", new FontRenderContext(null, true, true));
        } catch (LinkageError | InternalError | RuntimeException e) {
            throw new NoFontsException(e);
        }
    }

    private void mark(Mark mark) {
        if (mark instanceof Mark.Box box) {
            shape(new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height()), box.paint());
        } else if (mark instanceof Mark.Path path) {
            shape(outline(path), path.paint());
        } else if (mark instanceof Mark.Circle circle) {
            double size = 2 * circle.radius();
            shape(new Ellipse2D.Double(circle.x() - circle.radius(), circle.y() - circle.radius(), size, size),
                    circle.paint());
        } else if (mark instanceof Mark.Text text) {
            text(text);
        } else if (mark instanceof Mark.Picture picture) {
            BufferedImage image = picture.image().decode();
            AffineTransform place = AffineTransform.getTranslateInstance(picture.x(), picture.y());
            place.scale(picture.width() / image.getWidth(), picture.height() / image.getHeight());
            graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION,
                    RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
            graphics.drawImage(image, place, null);
        } else if (mark instanceof Mark.Titled titled) {
            titled.marks().forEach(this::mark);
        } else if (mark instanceof Mark.Window window) {
            Shape outer = graphics.getClip();
            graphics.clip(new Rectangle2D.Double(window.x(), window.y(), window.width(), window.height()));
            window.marks().forEach(this::mark);
            graphics.setClip(outer);
        }
    }

    private static Shape outline(Mark.Path path) {
        Path2D outline = new Path2D.Double();
        for (Mark.Point point : path.points()) {
            if (outline.getCurrentPoint() == null) {
                outline.moveTo(point.x(), point.y());
            } else {
                outline.lineTo(point.x(), point.y());
            }
        }
        if (path.closed() && !path.points().isEmpty()) {
            outline.closePath();
        }
        return outline;
    }

    private void shape(Shape shape, Paint paint) {
        if (paint.fill() != null) {
            int alpha = (int) Math.round(255 * paint.opacity());
            graphics.setColor(new Color(alpha << 24 | paint.fill().light(), true));
            graphics.fill(shape);
        }
        if (paint.stroke() != null) {
            graphics.setColor(new Color(paint.stroke().light()));
            float[] dash = paint.dash().lengths;
            graphics.setStroke(new BasicStroke((float) paint.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 4,
                    dash.length == 0 ? null : dash, 0));
            graphics.draw(shape);
        }
    }

    private void text(Mark.Text text) {
        graphics.setColor(new Color(text.ink().light()));
        graphics.setFont(new Font(Font.SANS_SERIF, text.bold() ? Font.BOLD : Font.PLAIN, 1)
                .deriveFont((float) text.size()));
        double width = graphics.getFontMetrics().getStringBounds(text.text(), graphics).getWidth();
        double shift = switch (text.anchor()) {
            case START -> 0;
            case MIDDLE -> -width / 2;
            case END -> -width;
        };
        AffineTransform before = graphics.getTransform();
        graphics.translate(text.x(), text.y());
        if (text.upwards()) {
            graphics.rotate(-Math.PI / 2);
        }
        graphics.drawString(text.text(), (float) shift, 0);
        graphics.setTransform(before);
    }
}
