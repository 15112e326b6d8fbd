package io.mdnf.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.file.Sha256;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredFileTest {

    /** Magic 8, version 4, length 8, SHA-256 32. */
    private static final int HEADER = 52;

    @TempDir
    private Path folder;

    private static ParameterLayout vector(int size) {
        return new ParameterLayout(List.of(new Parameter("w", Initialiser.constant(0), size)));
    }

    @Test
    void everythingComesBackAsItWas() throws IOException {
        Checkpoint written = Checkpoints.atStep(42);
        Path file = folder.resolve("a.mdnf");
        written.write(file);
        Checkpoint read = Checkpoint.read(file);
        assertThat(read.configuration()).isEqualTo("{\"task\":\"test\"}");
        assertThat(read.seed()).isEqualTo(Seed.of(7));
        assertThat(read.step()).isEqualTo(42);
        assertThat(read.layout()).isEqualTo(Checkpoints.LAYOUT);
        assertThat(read.precision()).isEqualTo(Precision.DOUBLE);
        assertThat(read.parameters()).containsExactly(written.parameters());
        assertThat(read.optimiser()).isEqualTo("RmsProp");
        assertThat(read.optimiserState()).isDeepEqualTo(written.optimiserState());
        assertThat(read.updates()).isEqualTo(42);
        assertThat(read.array("best")).containsExactly(1, 2, Double.NEGATIVE_INFINITY);
        assertThat(read.numberNames()).containsExactly("lastImprovement");
        assertThat(read.number("lastImprovement")).isEqualTo(21);
        assertThat(read.toString()).contains("step 42", "8 parameters", "RmsProp after 42 updates");
    }

    @Test
    void everyBitOfEveryDoubleSurvives() throws IOException {
        double[] special = {0.0, -0.0, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE,
            -Double.MAX_VALUE, Math.PI, Math.nextUp(1.0)};
        double nan = Double.longBitsToDouble(0x7ff8000000001234L);
        Path file = folder.resolve("a.mdnf");
        Checkpoints.of(vector(special.length), special).array("extra", nan, Double.POSITIVE_INFINITY, -0.0)
                .write(file);
        Checkpoint read = Checkpoint.read(file);
        for (int i = 0; i < special.length; i++) {
            assertThat(Double.doubleToRawLongBits(read.parameters()[i]))
                    .isEqualTo(Double.doubleToRawLongBits(special[i]));
        }
        assertThat(Double.doubleToRawLongBits(read.array("extra")[0])).isEqualTo(0x7ff8000000001234L);
        assertThat(Double.doubleToRawLongBits(read.array("extra")[2])).isEqualTo(1L << 63);
    }

    /** A million parameters and two vectors of state: beyond every buffer, and 4 bytes each when they are floats. */
    @Test
    @Tag("slow")
    void largeFloatModelsTakeFourBytesPerNumber() throws IOException {
        int n = 1_000_000;
        double[] values = new Draws(Seed.of(3)).normal("w", n);
        Path wide = folder.resolve("double.mdnf");
        Checkpoints.of(vector(n), values)
                .optimiser(Precision.DOUBLE, "Adam", new double[][] {values, values}, 5).write(wide);
        assertThat(Checkpoint.read(wide).parameters()).isEqualTo(values);
        assertThat(Files.size(wide)).isBetween(24L * n, 24L * n + 1000);

        double[] floats = Arrays.stream(values).map(v -> (float) v).toArray();
        Path narrow = folder.resolve("float.mdnf");
        Checkpoints.of(vector(n), floats)
                .optimiser(Precision.FLOAT, "Adam", new double[][] {floats, floats}, 5).write(narrow);
        Checkpoint read = Checkpoint.read(narrow);
        assertThat(read.precision()).isEqualTo(Precision.FLOAT);
        assertThat(read.parameters()).isEqualTo(floats);
        assertThat(read.optimiserState()[1]).isEqualTo(floats);
        assertThat(Files.size(narrow)).isBetween(12L * n, 12L * n + 1000);
    }

    @Test
    void threeHundredDamagedFilesAreThreeHundredCleanRefusals() throws IOException {
        Path good = folder.resolve("good.mdnf");
        Checkpoints.atStep(1).write(good);
        byte[] bytes = Files.readAllBytes(good);
        Draws draws = new Draws(Seed.of(11));
        int[] bits = draws.uniform("bits", 150, 8 * bytes.length);
        int[] lengths = draws.uniform("lengths", 150, bytes.length);
        Path bad = folder.resolve("bad.mdnf");
        for (int i = 0; i < 150; i++) {
            byte[] flipped = bytes.clone();
            flipped[bits[i] / 8] ^= (byte) (1 << bits[i] % 8);
            refused(bad, flipped);
            refused(bad, Arrays.copyOf(bytes, lengths[i]));
        }
    }

    /** The header is small enough for every bit of it to be tried, and the file may also grow. */
    @Test
    void everyBitOfTheHeaderAndEveryExtraByteMatters() throws IOException {
        Path good = folder.resolve("good.mdnf");
        Checkpoints.atStep(1).write(good);
        byte[] bytes = Files.readAllBytes(good);
        Path bad = folder.resolve("bad.mdnf");
        for (int bit = 0; bit < 8 * HEADER; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            refused(bad, flipped);
        }
        refused(bad, Arrays.copyOf(bytes, bytes.length + 1));
        refused(bad, new byte[0]);
    }

    private static void refused(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        assertThatThrownBy(() -> Checkpoint.read(file)).isExactlyInstanceOf(StoredFileException.class)
                .message().startsWith(file + ": ").contains("; ").doesNotContain("\n");
    }

    /** A faulty writer, or an attacker, can make the hash right: still no other exception and no huge allocation. */
    @Test
    @Tag("slow")
    void nonsenseWithTheRightHashIsRefusedToo() throws IOException {
        Path good = folder.resolve("good.mdnf");
        Checkpoints.atStep(1).write(good);
        byte[] bytes = Files.readAllBytes(good);
        Draws draws = new Draws(Seed.of(12));
        int[] places = draws.uniform("places", 300, bytes.length - HEADER);
        int[] values = draws.uniform("values", 300, 256);
        Path bad = folder.resolve("bad.mdnf");
        int refusals = 0;
        for (int i = 0; i < 300; i++) {
            byte[] changed = bytes.clone();
            changed[HEADER + places[i]] = (byte) values[i];
            rehash(changed);
            Files.write(bad, changed);
            try {
                Checkpoint.read(bad);
            } catch (StoredFileException e) {
                refusals++;
                assertThat(e).hasMessageContaining("its hash is right but");
            }
        }
        // Changed digits of a number are a valid content; changed counts, shapes and names of types are not.
        assertThat(refusals).isBetween(60, 299);
    }

    private static void rehash(byte[] file) {
        var digest = Sha256.digest();
        digest.update(file, HEADER, file.length - HEADER);
        System.arraycopy(digest.digest(), 0, file, HEADER - 32, 32);
    }

    @Test
    void refusalsSayWhatIsWrongAndWhatToDo() throws IOException {
        Path file = folder.resolve("a.mdnf");
        assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("does not exist");
        Checkpoints.atStep(1).write(file);
        byte[] bytes = Files.readAllBytes(file);

        byte[] other = bytes.clone();
        ByteBuffer.wrap(other).putInt(8, 9);
        Files.write(file, other);
        assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("has format version 9")
                .hasMessageContaining("reads version 2").hasMessageContaining("use the version of MDNF that wrote it");

        other = bytes.clone();
        other[bytes.length - 1]++;
        Files.write(file, other);
        assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("SHA-256")
                .hasMessageContaining("resume from an older checkpoint");

        Files.writeString(file, "this is a text file, but it is long enough to be taken for a header, if barely");
        assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("is not an MDNF file");
        assertThatThrownBy(() -> Checkpoint.read(folder)).isExactlyInstanceOf(StoredFileException.class);
    }

    @Test
    void nothingThatIsNotFiniteReachesACheckpoint() {
        double[] two = {1, 2};
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThatThrownBy(() -> Checkpoints.of(vector(2), new double[] {1, bad}))
                    .hasMessageContaining("parameters[1] = " + bad).hasMessageContaining("w[2]");
            assertThatThrownBy(() -> Checkpoints.of(vector(2), two)
                    .optimiser(Precision.DOUBLE, "Sgd", new double[][] {{bad, 0}}, 1))
                    .hasMessageContaining("optimiserState[0][0] = " + bad);
        }
    }

    @Test
    void whatDoesNotFitIsNamed() {
        double[] two = {1, 0.1};
        assertThatThrownBy(() -> Checkpoints.of(vector(3), two))
                .hasMessage("parameters has 2 values, the layout has 3");
        assertThatThrownBy(() -> Checkpoints.of(vector(2), two)
                .optimiser(Precision.FLOAT, "Sgd", new double[0][], 0))
                .hasMessageContaining("parameters[1] = 0.1").hasMessageContaining("not a 32-bit number");
        assertThatThrownBy(() -> Checkpoint.of("{}", Seed.of(0), -1, vector(2), two)).hasMessageContaining("step = -1");
        Checkpoint checkpoint = Checkpoints.atStep(0);
        assertThatThrownBy(() -> checkpoint.array("bets")).hasMessage("no array 'bets' among [best]");
        assertThatThrownBy(() -> checkpoint.requireLayout(vector(2))).hasMessageContaining("base/logits[2, 3]")
                .hasMessageContaining("w[2]");
        assertThatThrownBy(() -> checkpoint.requireLayout(new ParameterLayout(Checkpoints.LAYOUT.parameters()
                .subList(0, 1)))).hasMessageContaining("has 2 parameters, the model has 1");
        checkpoint.requireLayout(Checkpoints.LAYOUT);
    }

    @Test
    void aCheckpointIsAValue() {
        double[] values = {1, 2};
        Checkpoint checkpoint = Checkpoints.of(vector(2), values).array("a", values);
        values[0] = 9;
        checkpoint.parameters()[1] = 9;
        checkpoint.array("a")[1] = 9;
        assertThat(checkpoint.parameters()).containsExactly(1, 2);
        assertThat(checkpoint.array("a")).containsExactly(1, 2);
    }
}
