package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.ImageRows;
import io.mdnf.vae.TableSchema;
import io.mdnf.vae.VaeSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code vae train} learns from and is tested on.
 *
 * @param unit what one of them is called: image or row
 * @param train to learn from
 * @param test to be tested on
 * @param shape what else a manifest has to tell of them
 * @param input where they came from
 */
record VaeData(String unit, ImageRows train, ImageRows test, Map<String, String> shape, RunManifest.Input input) {

    static VaeData of(DigitImages train, DigitImages test) {
        return new VaeData("image", train, test, Map.of("height", Integer.toString(train.height()), "width",
                Integer.toString(train.width())), input(train));
    }

    /** What a manifest has of images that were learned from. */
    static RunManifest.Input input(DigitImages train) {
        return RunManifest.Input.of("training images", train.toArray());
    }

    /** Images of which the last ones, a share, are not learned but tested on. */
    static VaeData heldOut(DigitImages images, double share) {
        int test = (int) Math.max(1, Math.round(share * images.count()));
        if (test >= images.count()) {
            throw new UsageProblem("--held-out " + share + ": of " + images.count() + " images none is left to learn");
        }
        VaeData parted = of(images.first(images.count() - test), images.last(test));
        Map<String, String> shape = new LinkedHashMap<>(parted.shape);
        shape.put("heldOut", Double.toString(share));
        return new VaeData(parted.unit, parted.train, parted.test, shape, parted.input);
    }

    /** Several of them. */
    String units() {
        return unit + "s";
    }

    Optional<TableSchema> schema() {
        return train.schema();
    }

    /** The settings of a run as its manifest has them. */
    Map<String, String> configuration(VaeSettings settings) {
        Map<String, String> configuration = new LinkedHashMap<>(settings.toMap());
        configuration.put(units(), Integer.toString(train.count()));
        configuration.putAll(shape);
        schema().ifPresent(schema -> configuration.putAll(schema.toMap()));
        return configuration;
    }
}
