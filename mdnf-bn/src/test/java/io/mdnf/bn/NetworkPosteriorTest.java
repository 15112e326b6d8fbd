package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkPosteriorTest {

    private static NetworkPosterior of(Evidence evidence, CodeDistribution q) {
        return new NetworkPosterior(evidence, q, new Estimate(-1.0 / 3, 0.01), q.marginals(100, Seed.of(1)), "joint",
                "by hand", "As far as it goes.");
    }

    private static CodeDistribution product(Evidence evidence, Random random) {
        return new Product(Arrays.stream(evidence.latentCardinalities()).mapToObj(k -> {
            double[] p = random.doubles(k, 0.1, 1).toArray();
            double sum = Arrays.stream(p).sum();
            return Arrays.stream(p).map(x -> x / sum).toArray();
        }).toArray(double[][]::new));
    }

    @Test
    void savedAndLoadedItIsTheSameToTheLastBit(@TempDir Path folder) throws IOException {
        Random random = new Random(1);
        for (int trial = 0; trial < 20; trial++) {
            Evidence evidence = RandomNetworks.possibleEvidence(random, RandomNetworks.network(random, 6, 3, 0.2));
            if (evidence.latents().length == 0) {
                continue;
            }
            CodeDistribution q = product(evidence, random);
            if (trial % 2 == 0) {
                int[][] codes = {new int[evidence.latents().length]};
                q = new Atoms(q.space(), codes, new double[] {1});
            }
            of(evidence, q).save(folder);
            NetworkPosterior again = NetworkPosterior.load(folder);
            assertThat(again.evidence()).isEqualTo(evidence);
            assertThat(again.bound()).isEqualTo(new Estimate(-1.0 / 3, 0.01));
            assertThat(again.marginals().probabilities()).isEqualTo(q.marginals(100, Seed.of(1)).probabilities());
            assertThat(again.distribution().sample(50, Seed.of(2))).isDeepEqualTo(q.sample(50, Seed.of(2)));
            assertThat(again.trust()).isEqualTo("As far as it goes.");
        }
    }

    @Test
    void whatIsDamagedOrMixedUpIsRefused(@TempDir Path folder) throws IOException {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("asia"), "xray=yes");
        of(evidence, product(evidence, new Random(2))).save(folder);
        Path other = Files.createDirectory(folder.resolve("other"));
        of(evidence, product(evidence, new Random(3))).save(other);
        Path file = folder.resolve(NetworkPosterior.NAME);
        byte[] good = Files.readAllBytes(file);
        for (int at = 0; at < good.length; at += 97) {
            byte[] bad = good.clone();
            bad[at] ^= 4;
            Files.write(file, bad);
            assertThatThrownBy(() -> NetworkPosterior.load(folder)).isInstanceOf(StoredFileException.class);
        }
        Files.write(file, good);
        assertThat(NetworkPosterior.load(folder).family()).isEqualTo("joint");
        Files.copy(other.resolve(NetworkPosterior.NAME), file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> NetworkPosterior.load(folder)).isInstanceOf(StoredFileException.class)
                .hasMessageContaining("is not the one that was saved with it; ");
        Evidence nothing = Evidence.none(BuiltInNetworks.open("asia"));
        assertThatThrownBy(() -> of(nothing, product(evidence, new Random(2))))
                .hasMessageContaining("expected the variables of asia that were not observed");
    }
}
