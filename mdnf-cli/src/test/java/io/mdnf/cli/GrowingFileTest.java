package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that grows is whole in the end, whatever happened to what was there of it. */
class GrowingFileTest {

    private static final int BLOCKS = 5;
    private static final String HEADER = "number,square\n";

    @TempDir
    private Path folder;

    private Path file;

    /** Three items, of which the last block lacks one. */
    private static String block(int b) {
        StringBuilder text = new StringBuilder();
        for (int i = 3 * b + 1; i <= last(b); i++) {
            text.append(i).append(',').append(i * i).append('\n');
        }
        return text.toString();
    }

    private static int last(int b) {
        return Math.min(3 * b + 3, 3 * BLOCKS - 1);
    }

    private static String whole() {
        StringBuilder all = new StringBuilder(HEADER);
        for (int b = 0; b < BLOCKS; b++) {
            all.append(block(b));
        }
        return all.toString();
    }

    private GrowingFile open(boolean resume) throws IOException {
        file = folder.resolve("squares.csv");
        return GrowingFile.open(file, "hash", HEADER, resume);
    }

    private void begin(int blocks) throws IOException {
        try (GrowingFile growing = open(false)) {
            for (int b = 0; b < blocks; b++) {
                growing.write(block(b), last(b));
            }
        }
    }

    /** The numbers of those that are kept, and whether more was there; then all is written and whole. */
    private String resumed() throws IOException {
        try (GrowingFile growing = open(true)) {
            long kept = growing.items();
            for (int b = (int) ((kept + 2) / 3); b < BLOCKS; b++) {
                growing.write(block(b), last(b));
            }
            growing.complete();
            assertThat(file).hasContent(whole());
            assertThat(folder).isDirectoryNotContaining("glob:**.part");
            return kept + (growing.isCut() ? " and more" : "");
        }
    }

    private Path hidden(boolean journal) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".part")
                    && f.toString().contains("journal") == journal).findFirst().orElseThrow();
        }
    }

    private void change(boolean journal, UnaryOperator<byte[]> how) throws IOException {
        Files.write(hidden(journal), how.apply(Files.readAllBytes(hidden(journal))));
    }

    private static byte[] plus(byte[] bytes, byte... more) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
        System.arraycopy(more, 0, all, bytes.length, more.length);
        return all;
    }

    @Test
    void whatWasWrittenIsKept() throws IOException {
        begin(3);
        assertThat(resumed()).isEqualTo("9");
        begin(0);
        assertThat(resumed()).isEqualTo("0");
        begin(BLOCKS);
        assertThat(resumed()).isEqualTo("14");
        begin(3);
        assertThatThrownBy(() -> begin(1)).isInstanceOf(UsageProblem.class).hasMessageContaining("--resume");
        assertThat(resumed()).as("not begun anew").isEqualTo("9");
    }

    @Test
    void whatIsAppendedIsCutOff() throws IOException {
        for (boolean journal : List.of(false, true)) {
            for (byte[] more : List.of(new byte[100], "garbage\n".getBytes(), "9,81\n".getBytes(), new byte[] {-1})) {
                begin(3);
                change(journal, bytes -> plus(bytes, more));
                assertThat(resumed()).isEqualTo("9 and more");
            }
        }
    }

    @Test
    void blocksAreKeptUpToTheFirstThatIsDamagedOrCut() throws IOException {
        Random random = new Random(1);
        begin(4);
        int[] lengths = {(int) Files.size(hidden(false)), (int) Files.size(hidden(true))};
        resumed();
        for (int trial = 0; trial < 120; trial++) {
            boolean journal = random.nextBoolean();
            int at = random.nextInt(lengths[journal ? 1 : 0]);
            boolean isCut = random.nextBoolean();
            int bit = 1 << random.nextInt(8);
            begin(4);
            String before = new String(Files.readAllBytes(hidden(journal))).substring(0, at);
            change(journal, bytes -> {
                bytes[at] ^= (byte) bit;
                return isCut ? Arrays.copyOf(bytes, at) : bytes;
            });
            // a block of the file ends with each third line behind the header, one of the journal with each
            int lines = (int) before.chars().filter(c -> c == '\n').count() - 1;
            int items = Math.max(0, journal ? 3 * lines : lines / 3 * 3);
            assertThat(resumed()).as("%s at %s", isCut ? "cut" : "changed", at)
                    .startsWith(items + (isCut ? "" : " and more"));
        }
    }

    @Test
    void withoutItsJournalNothingIsKept() throws IOException {
        begin(3);
        Files.delete(hidden(true));
        assertThat(resumed()).isEqualTo("0 and more");
    }
}
