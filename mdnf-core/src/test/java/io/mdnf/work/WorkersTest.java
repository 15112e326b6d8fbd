package io.mdnf.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void resultsCanBeTakenInTheOrderOfPieces(int threads) throws IOException {
        Workers workers = Workers.here(threads);
        List<Integer> pieces = IntStream.range(0, 20).boxed().toList();
        List<Integer> taken = new ArrayList<>();
        try (Workers.Sent<int[]> factor = workers.send(new int[] {10})) {
            workers.run(pieces, piece -> {
                Thread.sleep(piece % 3 == 0 ? 5 : 0); // so that later pieces end earlier
                return factor.value()[0] * piece;
            }, Workers.inOrder((piece, result) -> {
                assertThat(result).isEqualTo(10 * piece);
                taken.add(result);
            }));
        }
        assertThat(taken).isEqualTo(pieces.stream().map(p -> 10 * p).toList());
    }

    @Test
    void aFailureEndsTheWholeAsItWasThrown() {
        List<Integer> taken = new ArrayList<>();
        assertThatThrownBy(() -> Workers.here(1).run(List.of(1, 0, 2), piece -> {
            if (piece == 0) {
                throw new IOException("no piece 0");
            }
            return piece;
        }, (piece, result) -> taken.add(result))).isInstanceOf(IOException.class).hasMessage("no piece 0");
        assertThat(taken).containsExactly(1);
        assertThatThrownBy(() -> Workers.here(0)).hasMessageContaining("threads = 0");
    }
}
