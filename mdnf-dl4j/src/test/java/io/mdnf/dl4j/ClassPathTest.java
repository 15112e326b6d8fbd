package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** deeplearning4j-nn brings what its layers need and none of the parts that weigh. */
class ClassPathTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "org.bytedeco.opencv.global.opencv_core", "org.bytedeco.hdf5.global.hdf5", "org.bytedeco.ffmpeg.global.avcodec",
        "org.bytedeco.leptonica.global.lept", "org.datavec.image.loader.NativeImageLoader",
        "org.deeplearning4j.nn.modelimport.keras.KerasModel", "it.unimi.dsi.fastutil.ints.IntArrayList",
        "com.google.gson.Gson"})
    void theHeavyPartsAreNotThere(String heavy) {
        assertThatThrownBy(() -> Class.forName(heavy)).isInstanceOf(ClassNotFoundException.class);
    }
}
