package io.mdnf.plot;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One plot of each kind and of the hard cases, with made-up numbers. */
public final class Gallery {
    private static final double[] TEMPERATURES = {0.01, 0.1, 0.3, 1, 3, 10, 30, 100};

    private Gallery() {
    }

    /** {@return plots by name} */
    public static Map<String, Plot> plots() {
        Map<String, Plot> plots = new LinkedHashMap<>();
        plots.put("lines", lines());
        plots.put("lines-log", logLines());
        plots.put("lines-many", manyLines());
        plots.put("points", points());
        plots.put("heat-maps", heatMaps(3, 8));
        plots.put("heat-maps-eight", heatMaps(8, 8));
        plots.put("heat-map-small", heatMaps(1, 2));
        plots.put("boxes", boxes());
        plots.put("bars", bars());
        plots.put("bars-long-names", longNames());
        plots.put("network", network(12, 2, 3));
        plots.put("network-large", network(90, 3, 8));
        plots.put("images", images());
        return plots;
    }

    private static Plot lines() {
        Random random = new Random(1);
        int points = 2000;
        double[] x = new double[points];
        double[][] gumbel = new double[5][points];
        double[][] flows = new double[5][points];
        double[] internal = new double[points];
        for (int i = 0; i < points; i++) {
            x[i] = 10 * (i + 1);
            for (int run = 0; run < 5; run++) {
                gumbel[run][i] = -4.5 - 3 * Math.exp(-i / 300.0) - 0.2 * run + 0.15 * random.nextGaussian();
                flows[run][i] = -3.3 - 5 * Math.exp(-i / 200.0) - 0.1 * run + 0.05 * random.nextGaussian();
            }
            internal[i] = -2.0 - 6 * Math.exp(-i / 150.0) + 0.1 * random.nextGaussian();
        }
        return new LinePlot("Convergence on Sachs, Akt = LOW: internal objective and true ELBO",
                "ELBO over iterations for Gumbel-Softmax and MDNF; MDNF ends higher.",
                Axis.linear("iteration", ""), Axis.linear("ELBO", "nats"),
                List.of(Series.overSeeds("Gumbel-Softmax, true ELBO", x, gumbel),
                        Series.overSeeds("MDNF factorised", x, flows),
                        Series.line("Gumbel-Softmax, internal objective", x, internal)),
                List.of(Reference.across("log evidence", -2.748056), Reference.across("mean-field limit", -3.46)));
    }

    private static Plot logLines() {
        double[] x = {1, 2, 5, 10, 20, 40, 100};
        double[][] joint = new double[5][x.length];
        double[] falling = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            for (int run = 0; run < 5; run++) {
                joint[run][i] = 3 / x[i] * (1 + 0.15 * run);
            }
            falling[i] = i == 6 ? 0 : Math.pow(10, -i);
        }
        return new LinePlot("KL over components", "KL falls with the number of components.",
                Axis.log("components B", ""), Axis.log("KL(q‖p)", "nats"),
                List.of(Series.overSeeds("joint, equal weights", x, joint),
                        Series.line("joint, free weights (reaches 0 at B = 100)", x, falling)),
                List.of(Reference.across("factorised limit", 0.71)));
    }

    private static Plot manyLines() {
        double[] x = {0, 1, 2, 3, 4, 5};
        List<Series> series = new ArrayList<>();
        for (int s = 0; s < 9; s++) {
            double[] y = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                y[i] = i == 3 && s == 4 ? Double.NaN : 1e5 * (s + 1) * (1 + 0.1 * i);
            }
            series.add(Series.line("method number " + (s + 1), x, y));
        }
        return new LinePlot("Nine series, one with a gap", "Nine rising lines.", Axis.linear("epoch", ""),
                Axis.linear("seconds of a deliberately long label that needs room", "s"), series, List.of());
    }

    private static Plot heatMaps(int count, int size) {
        List<HeatMaps.Panel> panels = new ArrayList<>();
        String[] names = {"Gumbel-Softmax", "straight-through Gumbel-Softmax", "MDNF factorised"};
        for (int p = 0; p < count; p++) {
            double[][] values = new double[size][size];
            for (int r = 0; r < size; r++) {
                for (int c = 0; c < size; c++) {
                    double far = Math.pow(r - 4, 2) + Math.pow(c - 3, 2);
                    values[r][c] = p % 3 == 2 ? 0.71 + 0.002 * c : 0.72 + 0.2 * far * (p + 1);
                }
            }
            if (p == 0) {
                values[0][0] = Double.POSITIVE_INFINITY;
                values[1][0] = Double.NaN;
            }
            panels.add(HeatMaps.Panel.of(names[p % 3] + (count > 3 ? ", case " + (p + 1) : ""), values));
        }
        List<Double> temperatures = Values.list(TEMPERATURES).subList(0, size);
        return new HeatMaps("KL(q‖p) over the two temperatures, Sachs, Akt = LOW",
                "Gumbel-Softmax is good only near tau 1 and prior temperature 3; MDNF everywhere.",
                Axis.log("temperature τ", ""), temperatures, Axis.log("prior temperature τₚ", ""), temperatures,
                new ColourScale(Axis.log("KL(q‖p)", "nats")), panels);
    }

    private static Plot points() {
        Random random = new Random(3);
        List<ScatterPlot.Cloud> clouds = new ArrayList<>();
        for (int k = 0; k < 3; k++) {
            double[][] points = new double[50][2];
            double[][] outline = new double[40][2];
            for (double[] point : points) {
                point[0] = 3 * k + random.nextGaussian();
                point[1] = -20 * k * k + 10 * random.nextGaussian();
            }
            for (int i = 0; i < outline.length; i++) {
                outline[i][0] = 3 * k + 2 * Math.cos(0.05 * Math.PI * i);
                outline[i][1] = -20 * k * k + 20 * Math.sin(0.05 * Math.PI * i);
            }
            clouds.add(ScatterPlot.Cloud.of("cluster " + (k + 1), points, k == 2 ? new double[0][] : outline));
        }
        return new ScatterPlot("Points by cluster", "Three clusters.", Axis.linear("duration", "min"),
                Axis.linear("waiting", ""), clouds);
    }

    private static Plot boxes() {
        Random random = new Random(2);
        List<String> groups = List.of("1", "2", "5", "10", "20", "40", "100");
        List<BoxPlot.Samples> samples = new ArrayList<>();
        String[] names = {"VIF", "BVIF", "BVI"};
        for (int a = 0; a < names.length; a++) {
            double[][] values = new double[groups.size()][10];
            for (int g = 0; g < groups.size(); g++) {
                for (int s = 0; s < 10; s++) {
                    values[g][s] = (3 + a) / Math.pow(1 + g, 1.3) * Math.exp(0.2 * random.nextGaussian());
                }
            }
            if (a == 2) {
                values[0] = new double[0];
                values[1][0] = Double.POSITIVE_INFINITY;
                values[1][1] = Double.POSITIVE_INFINITY;
            }
            samples.add(BoxPlot.Samples.of(names[a], values));
        }
        return new BoxPlot("Algorithms over the number of components, Sachs",
                "KL falls with B for all; VIF is lowest.", "components B", groups, Axis.log("KL(q‖p)", "nats"), samples,
                List.of(Reference.perGroup("exact limit of B equal atoms", 2.6, 1.05, 0.62, 0.42, 0.3, 0.23, 0.18),
                        Reference.across("factorised limit", 0.71)));
    }

    private static Plot bars() {
        List<String> groups = List.of("Sachs L", "Sachs H", "Asia 1", "Asia 2", "Earthquake T", "Earthquake F",
                "Cancer T", "Cancer F");
        double[] ours = {0.15, 0.14, 0.02, 0.03, 0.01, 0.02, 0.02, 0.01};
        double[] paper = {0.76, 0.33, 0.21, 0.4, 0.86, 0.48, 0.3, 0.25};
        return new BarPlot("KL by case", "Ours is below the paper's everywhere.", "", groups,
                Axis.linear("KL(q‖p)", "nats"),
                List.of(BarPlot.Bars.of("ours, autoregressive", ours), BarPlot.Bars.of("paper", paper)),
                List.of(Reference.perGroup("mean-field limit", 0.71, 0.23, 0.46, 1.02, 0.76, 0.008, 0.08, 0.004)));
    }

    private static Plot longNames() {
        return new BarPlot("Test ELBO by latent method, after a title so long that it must be broken into two lines",
                "All near minus 150.", "latent method",
                List.of("categorical straight-through", "Gumbel straight-through", "MDNF averaged over the choice",
                        "MDNF as published"),
                Axis.linear("ELBO", "nats"),
                List.of(BarPlot.Bars.of("ELBO", -151.7, -151.4, -151.5, -168.9)), List.of());
    }

    /** Each variable under some of those shortly before it. */
    private static Plot network(int size, int mostParents, int reach) {
        Random random = new Random(size);
        List<NetworkPlot.Variable> variables = new ArrayList<>();
        List<LayeredLayout.Arc> arcs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = "v" + i + "x".repeat(random.nextInt(9));
            boolean observed = random.nextInt(4) == 0;
            variables.add(new NetworkPlot.Variable(name, observed ? "yes" : i % 2 == 0 ? "no 0.73" : "",
                    name + ": 2 states", observed));
            int child = i;
            random.ints(mostParents, i - reach, i).filter(p -> p >= 0).distinct()
                    .forEach(parent -> arcs.add(new LayeredLayout.Arc(parent, child)));
        }
        return new NetworkPlot("A network of " + size + " variables", "Arrows from parents to children.", variables,
                arcs);
    }

    private static Plot images() {
        List<ImageGrid.Tile> tiles = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            BufferedImage image = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
            for (int y = 0; y < 28; y++) {
                for (int x = 0; x < 28; x++) {
                    image.getRaster().setSample(x, y, 0, (x * (i + 3) + y * y) % 256);
                }
            }
            tiles.add(new ImageGrid.Tile("method " + (i + 1) + ", after training", PngImage.of(image)));
        }
        return new ImageGrid("Six images", "Patterns.", 4, 5, tiles);
    }
}
