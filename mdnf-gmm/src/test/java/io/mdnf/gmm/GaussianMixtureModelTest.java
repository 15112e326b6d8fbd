package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.training.StopRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GaussianMixtureModelTest {
    @TempDir
    private Path folder;
    private GaussianMixtureData data;
    private GaussianMixtureModel model;

    @BeforeEach
    void fit() {
        data = GaussianMixtureData.artificial(2);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(data, 3);
        EmState start = MixtureStart.K_MEANS.of(mixture, new SplittableRandom(1));
        VariationalEm em = VariationalEm.closedForm(mixture, StopRule.maxSteps(5));
        model = GaussianMixtureModel.of(mixture, em.fit(start, state -> { }));
    }

    @Test
    void loadedModelGivesTheSameNumbersBitByBit() throws IOException {
        Path file = folder.resolve("model.json");
        model.save(file);
        model.save(file);
        GaussianMixtureModel loaded = GaussianMixtureModel.load(file);
        assertThat(loaded.columns()).isEqualTo(model.columns());
        assertThat(loaded.elbo()).isEqualTo(model.elbo());
        assertThat(loaded.posterior().expectedLogJoint(data)).isEqualTo(model.posterior().expectedLogJoint(data));
        assertThat(loaded.posterior().predictiveLogDensity(data))
                .isEqualTo(model.posterior().predictiveLogDensity(data));
        BayesianGaussianMixture again = new BayesianGaussianMixture(data, loaded.prior());
        Responsibilities r = loaded.posterior().responsibilities(data);
        assertThat(again.elbo(loaded.posterior(), r)).isEqualTo(
                BayesianGaussianMixture.standard(data, 3).elbo(model.posterior(), r));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @Tag("slow")
    void damagedFilesAreRefusedInOneLine() throws IOException {
        Path file = folder.resolve("model.json");
        model.save(file);
        String text = Files.readString(file);
        assertRefused(text.substring(0, text.length() / 2), "is not a saved Gaussian mixture");
        assertRefused("{}", "is not a saved Gaussian mixture");
        assertRefused(text.replaceFirst("\"version\" : 1", "\"version\" : 2"), "version 2; this program reads");
        assertRefused(text.replaceFirst("\"priorAlpha\" : [0-9.]+", "\"priorAlpha\" : -1.0"), "alpha is -1.0");
        assertThatThrownBy(() -> GaussianMixtureModel.load(folder.resolve("absent")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private void assertRefused(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.json"), text);
        assertThatThrownBy(() -> GaussianMixtureModel.load(file)).isInstanceOf(IOException.class)
                .hasMessageContaining("bad.json").hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
}
