package io.mdnf.dl4j;

import io.mdnf.space.Check;
import java.util.Arrays;
import org.deeplearning4j.nn.conf.layers.variational.BernoulliReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.CompositeReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ExponentialReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;
import org.nd4j.linalg.ops.transforms.Transforms;

/** DL4J's reconstruction distributions p(x | z) held to being probabilities, without which no score is a bound. */
final class ReconstructionLikelihood {

    private static final DataRange FINITE = new DataRange(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    private static final DataRange POSITIVE = new DataRange(0, Double.POSITIVE_INFINITY);

    private ReconstructionLikelihood() {}

    /** The same distribution, exact where DL4J's is not; refuses what is no probability. */
    static ReconstructionDistribution exact(ReconstructionDistribution distribution) {
        if (distribution instanceof CompositeReconstructionDistribution parts) {
            return new CompositeReconstructionDistribution(parts.getDistributionSizes(),
                    Arrays.stream(parts.getReconstructionDistributions()).map(ReconstructionLikelihood::exact)
                            .toArray(ReconstructionDistribution[]::new),
                    parts.getTotalSize());
        }
        Check.that(!distribution.hasLossFunction(), "reconstructionDistribution = ", distribution,
                ": a loss function is no probability, so the score would be no bound; take a distribution");
        if (distribution instanceof BernoulliReconstructionDistribution bernoulli) {
            Check.that(bernoulli.getActivationFn() instanceof ActivationSigmoid, "reconstructionDistribution = ",
                    distribution, ": probabilities that can be 0 or 1, or beyond, give no bound; take the sigmoid");
            return new ByLogits();
        }
        return distribution;
    }

    /** Refuses data [n, in] that the distribution gives no probability, by row and column. */
    static void check(ReconstructionDistribution distribution, INDArray data) {
        check(distribution, data, 0);
    }

    private static void check(ReconstructionDistribution distribution, INDArray data, int before) {
        if (distribution instanceof CompositeReconstructionDistribution parts) {
            int at = 0;
            for (int i = 0; i < parts.getDistributionSizes().length; i++) {
                int next = at + parts.getDistributionSizes()[i];
                check(parts.getReconstructionDistributions()[i],
                        data.get(NDArrayIndex.all(), NDArrayIndex.interval(at, next)), before + at);
                at = next;
            }
            return;
        }
        DataRange range = distribution instanceof BernoulliReconstructionDistribution ? DataRange.UNIT
                : distribution instanceof ExponentialReconstructionDistribution ? POSITIVE : FINITE;
        range.check(data, before);
    }

    /**
     * log p(x | z) = sum x l - log(1 + e^l) from the logits l. DL4J's own takes the logarithm of the sigmoid and 0
     * where that is infinite: in float a pixel that is wrong beyond a logit of 17 costs nothing, and the score is no
     * bound any more.
     */
    private static final class ByLogits extends BernoulliReconstructionDistribution {

        private static final long serialVersionUID = 1;

        ByLogits() {
            super(Activation.SIGMOID);
        }

        @Override
        public INDArray exampleNegLogProbability(INDArray x, INDArray logits) {
            INDArray softplus = Transforms.log1p(Transforms.exp(Transforms.abs(logits).negi(), false), false)
                    .addi(Transforms.max(logits, 0));
            return softplus.subi(x.mul(logits)).sum(true, 1);
        }

        @Override
        public double negLogProbability(INDArray x, INDArray logits, boolean average) {
            double sum = exampleNegLogProbability(x, logits).sumNumber().doubleValue();
            return average ? sum / x.size(0) : sum;
        }

        @Override
        public INDArray gradient(INDArray x, INDArray logits) {
            return Transforms.sigmoid(logits).subi(x);
        }
    }
}
