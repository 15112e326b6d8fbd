package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiReader;
import io.mdnf.uai.UaiWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UaiNetworksTest {

    @Test
    void networksComeBackFromUaiFilesToTheLastBitButForNames() {
        Random random = new Random(6);
        for (int trial = 0; trial < 100; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(12), 4, 0.2);
            UaiModel model = UaiNetworks.model(network);
            UaiModel read = UaiReader.model(UaiWriter.model(model).getBytes(StandardCharsets.UTF_8), "network.uai");
            BayesianNetwork back = UaiNetworks.network(read, network.name());
            for (int i = 0; i < network.size(); i++) {
                assertThat(back.node(i).table()).isEqualTo(network.node(i).table());
                assertThat(back.parents(i)).isEqualTo(network.parents(i));
            }
            assertThat(UaiNetworks.model(back)).isEqualTo(model);
        }
    }

    @Test
    void whatIsNoNetworkIsRefused() {
        UaiModel.Kind bayes = UaiModel.Kind.BAYES;
        assertThatThrownBy(() -> UaiNetworks.network(new UaiModel(UaiModel.Kind.MARKOV, new int[] {2}, List.of()), "m"))
                .hasMessageContaining("is a Markov field");
        assertThatThrownBy(() -> UaiNetworks.network(new UaiModel(bayes, new int[] {2}, List.of()), "m"))
                .hasMessageContaining("variable 0").hasMessageContaining("is the last of no scope");
    }
}
