package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;

/** The small shape on a series' points; a second sign beside colour. */
final class Marker {
    private static final double RADIUS = 3.6;

    private Marker() {
    }

    static Mark at(int series, double x, double y) {
        Paint paint = new Paint(Ink.series(series), 1, Ink.PAPER, 1, Paint.Dash.SOLID);
        double r = RADIUS;
        return switch (series % 4) {
            case 0 -> new Mark.Circle(x, y, r, paint);
            case 1 -> new Mark.Box(x - r, y - r, 2 * r, 2 * r, paint);
            case 2 -> polygon(paint, x, y - 1.3 * r, x + 1.2 * r, y + 0.9 * r, x - 1.2 * r, y + 0.9 * r);
            default -> polygon(paint, x, y - 1.3 * r, x + 1.3 * r, y, x, y + 1.3 * r, x - 1.3 * r, y);
        };
    }

    private static Mark polygon(Paint paint, double... coordinates) {
        List<Mark.Point> points = new ArrayList<>();
        for (int i = 0; i < coordinates.length; i += 2) {
            points.add(new Mark.Point(coordinates[i], coordinates[i + 1]));
        }
        return new Mark.Path(points, true, paint);
    }
}
