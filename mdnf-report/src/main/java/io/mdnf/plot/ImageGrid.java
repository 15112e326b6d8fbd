package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Images with captions in rows, such as digits by method.
 *
 * @param columns images per row
 * @param scale pixels on the page for each pixel of an image
 * @param tiles the images, row by row
 */
public record ImageGrid(String title, String description, int columns, int scale, List<Tile> tiles) implements Plot {
    private static final double EDGE = 12;
    private static final double GAP = 16;

    /**
     * An image with a caption.
     *
     * @param caption below the image; may be empty
     * @param image what to show
     */
    public record Tile(String caption, PngImage image) { }

    /** Checks the ranges. */
    public ImageGrid {
        tiles = List.copyOf(tiles);
        Check.that(columns >= 1 && scale >= 1 && !tiles.isEmpty(), "image grid '", title, "': columns ", columns,
                ", scale ", scale, " and the number of images ", tiles.size(), " must be at least 1");
    }

    @Override
    public Scene scene() {
        double cell = tiles.stream().mapToDouble(tile -> tile.image().width() * scale).max().orElseThrow();
        // A caption may be broken into lines, but its words may not.
        cell = Math.max(cell, Chart.widestWord(tiles.stream().map(Tile::caption).toList()));
        int across = Math.min(columns, tiles.size());
        double width = Math.max(2 * EDGE + across * (cell + GAP) - GAP, 240);
        List<Mark> marks = new ArrayList<>();
        double y = Chart.title(title, marks, EDGE, EDGE, width - 2 * EDGE);
        for (int start = 0; start < tiles.size(); start += across) {
            double height = 0;
            for (int i = start; i < Math.min(tiles.size(), start + across); i++) {
                height = Math.max(height, tile(tiles.get(i), EDGE + (i - start) * (cell + GAP), y, cell, marks));
            }
            y += height + GAP;
        }
        return new Scene(width, y - GAP + EDGE, marks);
    }

    private double tile(Tile tile, double left, double top, double cell, List<Mark> marks) {
        double width = tile.image().width() * (double) scale;
        double height = tile.image().height() * (double) scale;
        marks.add(new Mark.Picture(left + (cell - width) / 2, top, width, height, tile.image()));
        if (tile.caption().isBlank()) {
            return height;
        }
        List<String> lines = Letters.wrap(tile.caption(), cell, Letters.SIZE);
        for (int i = 0; i < lines.size(); i++) {
            marks.add(Mark.text(left + cell / 2, top + height + 4 + Letters.SIZE + i * Letters.LINE, lines.get(i),
                    Mark.Anchor.MIDDLE, Ink.MUTED));
        }
        return height + 4 + lines.size() * Letters.LINE;
    }
}
