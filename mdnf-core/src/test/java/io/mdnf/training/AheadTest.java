package io.mdnf.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class AheadTest {

    private final List<String> made = new CopyOnWriteArrayList<>();
    private final Ahead<String, String> ahead = new Ahead<>(key -> {
        made.add(key);
        return key + "!";
    });

    @Test
    void takesWhatWasBegunAndMakesItOnce() {
        ahead.begin("a");
        assertThat(ahead.take("a")).isEqualTo("a!");
        assertThat(made).containsExactly("a");
        assertThat(ahead.take("a")).isEqualTo("a!");
        assertThat(made).containsExactly("a", "a");
    }

    @Test
    void makesNowWhatWasNotBegun() {
        ahead.begin("a");
        assertThat(ahead.take("b")).isEqualTo("b!");
        assertThat(ahead.take("a")).isEqualTo("a!");
    }

    @Test
    void throwsWhatTheOtherThreadThrew() {
        Ahead<String, String> failing = new Ahead<>(key -> {
            throw new IllegalArgumentException(key);
        });
        failing.begin("a");
        assertThatThrownBy(() -> failing.take("a")).isInstanceOf(IllegalArgumentException.class).hasMessage("a");
    }

    @Test
    void aThreadCountsOnceHoweverDeepItsScopes() {
        int processors = Runtime.getRuntime().availableProcessors();
        Threads[] scopes = new Threads[processors + 1];
        for (int i = 0; i < scopes.length; i++) {
            scopes[i] = Threads.one();
        }
        boolean free = Threads.leaveProcessor();
        for (Threads scope : scopes) {
            scope.close();
        }
        assertThat(free).isEqualTo(processors > 1);
    }
}
