package io.mdnf.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.checkpoint.Checkpoint;
import java.nio.file.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {

    @Test
    void aTrainingBegunOnAClusterGoesOnInOneProcessAndBackAsIfItHadNeverMoved(@TempDir Path folder) throws Exception {
        Path table = Local.table(folder);
        Checkpoint here = Local.train(null, table, folder.resolve("here"), "--epochs", "3");
        assertThat(here.configuration()).contains("settings.rate: " + 0.003 * Math.sqrt(3));
        try (JavaSparkContext spark = Local.spark()) {
            SparkWorkers workers = new SparkWorkers(spark);
            Path there = folder.resolve("there");
            Local.train(master -> workers, table, there, "--epochs", "1");
            Local.train(null, table, there, "--epochs", "2", "--resume");
            Local.assertSame(Local.train(master -> workers, table, there, "--epochs", "3", "--resume"), here);
        }
    }
}
