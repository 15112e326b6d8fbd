package io.mdnf.dl4j;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The randomness of a discrete auto-encoder, made outside the graph: which flow each variable of each example follows.
 *
 * <p>As a preprocessor of an iterator it turns a batch of images into one for training: features image [n, pixels] and
 * choice [n, D], labels image. Batch i of a seed always gets the same numbers.
 *
 * <pre>{@code
 * iterator.setPreProcessor(latent.choices(Seed.of(1)));
 * graph.fit(iterator, epochs);
 * }</pre>
 */
public final class ComponentChoices implements MultiDataSetPreProcessor {

    private static final long serialVersionUID = 1;

    private final int variables;
    private final int components;
    private final long seed;
    private long step;

    ComponentChoices(int variables, int components, Seed seed) {
        this.variables = variables;
        this.components = components;
        this.seed = seed.value();
    }

    /** Pairs the images, the batch's only or first features, with the next choices. */
    @Override
    public void preProcess(MultiDataSet batch) {
        INDArray images = batch.getFeatures(0);
        batch.setFeatures(new INDArray[] {images, draw(step++, images)});
        batch.setLabels(new INDArray[] {images});
        batch.setLabelsMaskArray(null);
        batch.setFeaturesMaskArrays(null);
    }

    /** A batch for training or scoring, features images [n, pixels] and choices, labels images; equal steps give equal
     * choices. */
    public MultiDataSet batch(INDArray images, long step) {
        return new org.nd4j.linalg.dataset.MultiDataSet(
                new INDArray[] {images, draw(step, images)}, new INDArray[] {images});
    }

    /** The choices of a batch, [n, D], whole numbers of the images' type. */
    INDArray draw(long number, INDArray images) {
        int n = (int) images.size(0);
        int[] choice = new Draws(new Seed(seed).fold(number)).uniform("choice", n * variables, components);
        DataType type = images.dataType();
        return Nd4j.createFromArray(choice).castTo(type).reshape(n, variables);
    }
}
