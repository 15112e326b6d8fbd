package io.mdnf.plot;

import io.mdnf.plot.LayeredLayout.Arc;
import io.mdnf.plot.LayeredLayout.Point;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A network of variables: a box for each, arrows from parents down to children.
 *
 * @param variables at least one
 * @param arcs from parents to children, by position, without a cycle
 */
public record NetworkPlot(String title, String description, List<Variable> variables, List<Arc> arcs)
        implements Plot {

    private static final double EDGE = 12;
    private static final double PADDING = 8;
    private static final double HEAD = 7;

    /**
     * A variable.
     *
     * @param name within the box
     * @param note below the name, such as its state; may be empty
     * @param about what is shown where the pointer rests on it
     * @param observed whether it is filled
     */
    public record Variable(String name, String note, String about, boolean observed) { }

    /** Copies the lists. */
    public NetworkPlot {
        variables = List.copyOf(variables);
        arcs = List.copyOf(arcs);
        Check.that(!variables.isEmpty(), "network '", title, "' has no variables to draw");
    }

    private static LayeredLayout.Size size(Variable variable) {
        return new LayeredLayout.Size(2 * PADDING + Math.max(Letters.width(variable.name),
                Letters.width(variable.note)), PADDING + Letters.LINE * (variable.note.isEmpty() ? 1 : 2));
    }

    @Override
    public Scene scene() {
        LayeredLayout layout = LayeredLayout.of(variables.stream().map(NetworkPlot::size).toList(), arcs);
        double width = Math.max(layout.width() + 2 * EDGE, 240);
        double left = (width - layout.width()) / 2;
        List<Mark> marks = new ArrayList<>();
        double top = Chart.title(title, marks, EDGE, EDGE, width - 2 * EDGE);
        for (int arc = 0; arc < arcs.size(); arc++) {
            arrow(layout.curve(arc, HEAD), left, top, marks);
        }
        for (int i = 0; i < variables.size(); i++) {
            marks.add(box(variables.get(i), layout.corners().get(i), left, top));
        }
        return new Scene(width, top + layout.height() + EDGE, marks);
    }

    private static void arrow(List<Point> curve, double left, double top, List<Mark> marks) {
        Point end = curve.get(curve.size() - 1);
        double x = left + end.x();
        double y = top + end.y() + HEAD;
        marks.add(new Mark.Path(curve.stream().map(p -> new Mark.Point(left + p.x(), top + p.y())).toList(), false,
                Paint.stroke(Ink.MUTED, 1.2)));
        marks.add(new Mark.Path(List.of(new Mark.Point(x, y), new Mark.Point(x - HEAD / 2, y - HEAD),
                new Mark.Point(x + HEAD / 2, y - HEAD)), true, Paint.fill(Ink.MUTED)));
    }

    private static Mark box(Variable variable, Point corner, double left, double top) {
        LayeredLayout.Size size = size(variable);
        double middle = left + corner.x() + size.width() / 2;
        double first = top + corner.y() + PADDING / 2 + Letters.LINE / 2;
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark.Box(left + corner.x(), top + corner.y(), size.width(), size.height(),
                new Paint(variable.observed ? Ink.GRID : Ink.PAPER, 1, Ink.series(0), 1.5, Paint.Dash.SOLID)));
        marks.add(Mark.text(middle, Letters.middle(first), variable.name, Mark.Anchor.MIDDLE, Ink.TEXT));
        if (!variable.note.isEmpty()) {
            marks.add(Mark.text(middle, Letters.middle(first + Letters.LINE), variable.note, Mark.Anchor.MIDDLE,
                    Ink.MUTED));
        }
        return new Mark.Titled(variable.about, marks);
    }

    /** {@return the network in the language of Graphviz, whose {@code dot} draws it} */
    public String dot() {
        StringBuilder dot = new StringBuilder("digraph " + quoted(title) + " {\n  node [shape=box];\n");
        for (int i = 0; i < variables.size(); i++) {
            Variable variable = variables.get(i);
            dot.append(String.format(Locale.ROOT, "  v%d [label=%s%s];\n", i, quoted(variable.note.isEmpty()
                    ? variable.name : variable.name + "\n" + variable.note),
                    variable.observed ? ", style=filled" : ""));
        }
        arcs.forEach(arc -> dot.append(String.format(Locale.ROOT, "  v%d -> v%d;\n", arc.from(), arc.to())));
        return dot.append("}\n").toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
