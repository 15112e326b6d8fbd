package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class VisitorsTest {

    @Test
    void onesNextQuestionEndsTheLastOneAndNobodyElses() {
        Visitors visitors = new Visitors();
        BooleanSupplier first = visitors.asks("a", 0, true);
        BooleanSupplier others = visitors.asks("b", 0, true);
        BooleanSupplier detail = visitors.asks("a", 0, false);
        assertThat(first.getAsBoolean()).isFalse();
        assertThat(visitors.asks("a", 0, true).getAsBoolean()).isFalse();
        assertThat(first.getAsBoolean()).isTrue();
        assertThat(detail.getAsBoolean()).isTrue();
        assertThat(others.getAsBoolean()).isFalse();
        visitors.close();
        assertThat(others.getAsBoolean()).isTrue();
    }

    @Test
    void aQuestionThatArrivesLateDoesNotEndTheOneThatWasAskedAfterIt() {
        Visitors visitors = new Visitors();
        BooleanSupplier last = visitors.asks("a", 8, true);
        BooleanSupplier late = visitors.asks("a", 7, true);
        BooleanSupplier detail = visitors.asks("a", 8, false);
        assertThat(late.getAsBoolean()).isTrue();
        assertThat(last.getAsBoolean()).isFalse();
        assertThat(detail.getAsBoolean()).isFalse();
        visitors.asks("a", 9, true);
        assertThat(last.getAsBoolean()).isTrue();
        assertThat(detail.getAsBoolean()).isTrue();
    }

    @Test
    void whoWasNotHeardOfLongestIsForgotten() {
        Visitors visitors = new Visitors();
        BooleanSupplier first = visitors.asks("first", 0, true);
        BooleanSupplier second = visitors.asks("second", 0, true);
        visitors.asks("first", 0, false);
        for (int i = 0; i < 31; i++) {
            visitors.asks("another " + i, 0, true);
        }
        assertThat(second.getAsBoolean()).isTrue();
        assertThat(first.getAsBoolean()).isFalse();
    }

    @Test
    void onlySoManyAnswersAreWorkedOnAndWhoeverGaveUpGetsNone() throws Exception {
        Turns turns = new Turns(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> turns.take(() -> false, () -> {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "answered";
        }));
        begun.await();
        int[] looked = {0};
        assertThatThrownBy(() -> turns.take(() -> looked[0]++ > 1, () -> "not its turn"))
                .isInstanceOf(CancellationException.class);
        assertThat(looked[0]).as("it waited").isEqualTo(3);
        end.countDown();
        assertThat(first.get()).isEqualTo("answered");
        assertThatThrownBy(() -> turns.take(() -> false, () -> {
            throw new IllegalArgumentException("none");
        })).hasMessage("none");
        assertThat(turns.take(() -> false, () -> "its turn")).isEqualTo("its turn");
    }
}
