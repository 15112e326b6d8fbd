package io.mdnf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.plot.Gallery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SectionFolderTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void aSectionReadAgainIsEqualPlotsWithMissingAndInfiniteValuesIncluded() throws IOException {
        for (ReportSection section : SampleReport.report().sections()) {
            SectionFolder stored = new SectionFolder(folder.resolve(section.name()));
            stored.save(section);
            assertThat(stored.load()).contains(section);
        }
        assertFiguresStandBesideTheSection(folder.resolve("gallery"));
    }

    private static void assertFiguresStandBesideTheSection(Path gallery) throws IOException {
        assertThat(gallery.resolve("lines.svg")).exists();
        assertThat(gallery.resolve("lines.png")).exists();
        assertThat(gallery.resolve("digits.png")).exists();
        try (Stream<Path> files = Files.list(gallery)) {
            // Every plot in two forms, one picture, section.json, and nothing half-written.
            assertThat(files).hasSize(2 * Gallery.plots().size() + 2);
        }
    }

    @Test
    void findingsSurviveSavingAndLoading() throws IOException {
        ReportSection section = ReportSection.of("bn-table", "Table").with(new Block.Paragraph("text"))
                .with(new Finding("KL (nats, ↓)", "0.7311", "1.90", "0.7311"))
                .with(new Finding(SampleReport.HOSTILE, "1", Finding.NONE, "0"));
        new SectionFolder(folder).save(section);
        assertThat(new SectionFolder(folder).load()).contains(section);
        assertThat(section.findings()).hasSize(2);
    }

    /** As version 0.1.0 wrote them. */
    @Test
    void aSectionWrittenBeforeThereWereFindingsIsRead() throws IOException {
        Files.writeString(folder.resolve("section.json"), "{\"format\":1,\"section\":{\"name\":\"bn-table\","
                + "\"title\":\"Table\",\"blocks\":[{\"block\":\"paragraph\",\"text\":\"old\"}]}}");
        assertThat(new SectionFolder(folder).load())
                .contains(ReportSection.of("bn-table", "Table").with(new Block.Paragraph("old")));
    }

    @Test
    void aForgottenSectionIsUnfinishedAgain() throws IOException {
        SectionFolder stored = new SectionFolder(folder);
        stored.forget();
        stored.save(ReportSection.of("bn-table", "Table"));
        stored.forget();
        assertThat(stored.load()).isEmpty();
    }

    @Test
    void anUnfinishedExperimentHasNoSection() throws IOException {
        assertThat(new SectionFolder(folder.resolve("missing")).load()).isEmpty();
    }

    @Test
    void aBrokenOrForeignFileIsNamed() throws IOException {
        Path file = folder.resolve("section.json");
        Files.writeString(file, "{\"format\": 99, \"section\": null}");
        assertThatThrownBy(() -> new SectionFolder(folder).load()).isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("format 99 is not 1");
        Files.writeString(file, "{\"format\": 1, \"section\": {\"na");
        assertThatThrownBy(() -> new SectionFolder(folder).load()).isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("delete it");
        Files.writeString(file, "{\"format\": 1}");
        assertThatThrownBy(() -> new SectionFolder(folder).load()).isInstanceOf(IOException.class)
                .hasMessageContaining("there is no section");
    }
}
