package io.mdnf.report;

import io.mdnf.plot.Gallery;
import io.mdnf.plot.ImageGrid;
import io.mdnf.plot.Plot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report with every kind of block, and texts that try to break out of it. */
final class SampleReport {
    static final String HOSTILE = "a <script>alert(1)</script> & \"b\" 'c' \u0000 ]]> κόσμε";

    private SampleReport() {
    }

    /** Writes the report and the folders of its sections, to be looked at. */
    static void write(Path folder) throws IOException {
        Report report = report();
        for (ReportSection section : report.sections()) {
            new SectionFolder(folder.resolve(section.name())).save(section);
        }
        HtmlReport.write(folder.resolve("report.html"), report);
    }

    static Report report() {
        return new Report("MDNF: reproduction of the paper's experiments",
                "Every number called an ELBO here is a lower bound of log p(D). Made-up, to look at the layout.",
                List.of(table(), plots(), hostile()));
    }

    private static ReportSection table() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("command", "mdnf reproduce bn-table --scale quick --seed 1 --out runs/2025-11-16-a-long-directory");
        facts.put("version", "0.1.0-SNAPSHOT");
        facts.put("backend", "nd4j-native 1.0.0-M2.1, OpenBLAS, 2 threads");
        facts.put("sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
        return ReportSection.of("bn-table", "Eight cases of four Bayesian networks")
                .with(new Block.Paragraph("Each case is a network with evidence. The exact limit is the smallest KL "
                        + "that any distribution of the family can reach; where ours equals it, nothing is left "
                        + "to gain."))
                .with(Block.Table.numbers("KL(q‖p) in nats, joint structure, 100 equal components", "case",
                                List.of("ours", "paper", "exact limit"))
                        .row("Sachs, Akt = LOW", "0.74 ± 0.01", "0.76", "0.7313")
                        .row("Sachs, Akt = HIGH", "0.31 ± 0.01", "0.33", "0.3048")
                        .row("Asia, evidence 1", "0.042", "0.21", "0.0412")
                        .row("Earthquake, Alarm = True", "0.011", "0.86", "0.0070")
                        .footnote("ours: median over seeds 1 to 5, ± half the distance between the quartiles."))
                .with(new Block.Heading("By algorithm"))
                .with(new Block.Table("A wide table", List.of(Block.Column.text("case"), Block.Column.number("VIF"),
                        Block.Column.number("BVIF"), Block.Column.number("BVI"), Block.Column.number("factorised"),
                        Block.Column.number("autoregressive"), Block.Column.number("log evidence"),
                        Block.Column.number("seconds")),
                        List.of(List.of("Hepar II, carcinoma = present", "-16.87", "-16.9", "-17.2", "-4.41", "-3.30",
                                "-2.748056", "181.2")), List.of()))
                .with(tenColumns())
                .with(Block.Facts.of("Where these numbers come from", facts))
                .with(new Finding("Sum of KL over 8 cases, 100 equal atoms (nats, ↓)", "1.1128", "4.85", "1.1128"))
                .with(new Finding("Sum of KL over 8 cases, autoregressive (nats, ↓)", "0.0983", Finding.NONE, "0"));
    }

    /** As wide as the widest table of the experiments. */
    private static Block.Table tenColumns() {
        return Block.Table.of("KL(q‖p) in nats, ten columns", Block.Column.text("case"),
                Block.Column.number("paper, weak"), Block.Column.number("paper, strong"),
                Block.Column.number("100 equal atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number("40 free atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number("factorised").emphasised(), Block.Column.number("limit"),
                Block.Column.number("autoregressive").emphasised())
                .row("Earthquake, MaryCalls=False", "0.01", "0.01", "0.0068", "0.0068", "0.0000", "0.0000", "0.0063",
                        "0.0049", "0.0060");
    }

    private static ReportSection plots() {
        ReportSection section = ReportSection.of("gallery", "Every kind of plot");
        for (Map.Entry<String, Plot> plot : Gallery.plots().entrySet()) {
            section = section.with(new Block.Figure(plot.getKey(), plot.getValue(),
                    "Caption of " + plot.getKey() + ": " + plot.getValue().description()));
        }
        return section.with(new Block.Picture("digits",
                ((ImageGrid) Gallery.plots().get("images")).tiles().get(0).image(), "a pattern", "A bare image."));
    }

    private static ReportSection hostile() {
        return ReportSection.of("hostile", HOSTILE)
                .with(new Block.Paragraph(HOSTILE + " " + "unbreakable".repeat(30)))
                .with(Block.Table.of(HOSTILE, Block.Column.text(HOSTILE)).row(HOSTILE).footnote(HOSTILE))
                .with(new Finding(HOSTILE, HOSTILE, HOSTILE, HOSTILE));
    }
}
