package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Seed;
import io.mdnf.work.Workers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitSweepTest {

    private static final TemperatureGrid TINY = new TemperatureGrid(List.of(PaperCases.CANCER_TRUE),
            new double[] {1, 10}, 40, FactorisedStarts.of(10, 10), false);

    @TempDir
    private Path folder;

    /** A worker that knows only what it is sent, and is lost after so many results. */
    private record Elsewhere(List<Object> made, int most) implements Workers {

        private record Copy<T>(T value) implements Sent<T> {

            @Override
            public void close() {
                // nothing is kept
            }
        }

        @Override
        public <T> Sent<T> send(T value) {
            return new Copy<>(value);
        }

        @Override
        public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
            Work<P, R> there = copy(work);
            for (int i = 0; i < pieces.size(); i++) {
                if (made.size() >= most) {
                    throw new IOException("lost");
                }
                try {
                    made.add(pieces.get(i));
                    taker.take(i, there.of(pieces.get(i)));
                } catch (IOException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @SuppressWarnings("unchecked")
        private static <T> T copy(T value) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return (T) in.readObject();
            } catch (ClassNotFoundException e) {
                throw new IOException(e);
            }
        }
    }

    private Workplace workplace(String name, Workplace.Fits fits) throws IOException {
        return new Workplace(Files.createDirectories(folder.resolve(name)), Scale.QUICK, Seed.of(1), Optional.empty(),
                true, notice -> { }, fits);
    }

    /** One study after another, of which the second needs the first; and what another experiment has written. */
    @Test
    @Tag("slow")
    void fitsMadeElsewhereAreThoseMadeHereAndFinishedOnesAreKept() throws IOException {
        TemperatureStudies.constant(workplace("here", Workplace.Fits.HERE), TINY);
        Experiment.Body body = workplace -> TemperatureStudies.constant(workplace, TINY);
        List<Object> made = new ArrayList<>();
        assertThatThrownBy(() -> body.run(workplace("there", new FitSweep(new Elsewhere(made, 3), body))))
                .hasMessage("lost");
        body.run(workplace("there", new FitSweep(new Elsewhere(made, Integer.MAX_VALUE), body)));
        // 2 Gumbel methods and 2 temperatures of MDNF, then the second study's
        assertThat(made).hasSizeGreaterThan(4).doesNotHaveDuplicates();
        for (String file : List.of("grid.csv", TemperatureGrid.FILE)) {
            assertThat(Files.mismatch(folder.resolve("here/" + file), folder.resolve("there/" + file))).isEqualTo(-1);
        }

        // on its way to its study it reads the other's grid; without it it would come to another study first
        Experiment.Body next = workplace -> TemperatureStudies.oracles(workplace, TINY,
                TINY.written(workplace.folder().resolveSibling("there")));
        List<Object> richer = new ArrayList<>();
        next.run(workplace("next", new FitSweep(new Elsewhere(richer, Integer.MAX_VALUE), next)));
        assertThat(richer).isNotEmpty().allMatch(name -> !made.contains(name));
        assertThat(folder.resolve("next/richer.csv")).exists();
    }

    @Test
    void anExperimentThatTakesAnotherWayThereSaysSo() {
        Experiment.Body body = workplace -> {
            if (workplace.fits() instanceof FitSweep) {
                return TemperatureStudies.constant(workplace, TINY);
            }
            return null;
        };
        assertThatThrownBy(() -> body.run(workplace("there", new FitSweep(new Elsewhere(new ArrayList<>(), 9), body))))
                .hasMessageContaining("at one path on all machines");
    }
}
