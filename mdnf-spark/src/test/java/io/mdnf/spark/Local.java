package io.mdnf.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A Spark application within the test's own process. */
final class Local {

    private Local() {}

    static SparkConf conf(String master) {
        return new SparkConf().setMaster(master).setAppName("test").set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1");
    }

    static JavaSparkContext spark() {
        return new JavaSparkContext(conf("local[2]"));
    }
}
