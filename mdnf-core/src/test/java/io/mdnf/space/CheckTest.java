package io.mdnf.space;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CheckTest {

    @Test
    void theWordsAreTheMessageAndNobodyJoinsThemWhereAllIsWell() {
        assertThatThrownBy(() -> Check.that(false, "samples = ", 0, ": at least ", 1.5, null))
                .isInstanceOf(IllegalArgumentException.class).hasMessage("samples = 0: at least 1.5null");
        Object unreadable = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("read");
            }
        };
        assertThatCode(() -> Check.that(true, unreadable)).doesNotThrowAnyException();
    }
}
