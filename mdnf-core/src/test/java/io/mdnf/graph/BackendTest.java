package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackendTest {

    @Test
    void knowsItsVersionAndName() {
        assertThat(Backend.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(Backend.describe().name()).endsWith("Backend");
    }

    /** Subnormal numbers are slow, and flushed to 0 on some machines. */
    @Test
    void tinyNumbersAreNormalAndVanishBesideAProbability() {
        assertThat(Precision.FLOAT.tiny()).isGreaterThanOrEqualTo(Float.MIN_NORMAL);
        assertThat(1e-15f + (float) Precision.FLOAT.tiny()).isEqualTo(1e-15f);
        assertThat(Precision.DOUBLE.tiny()).isGreaterThanOrEqualTo(Double.MIN_NORMAL);
        assertThat(1e-15 + Precision.DOUBLE.tiny()).isEqualTo(1e-15);
    }
}
