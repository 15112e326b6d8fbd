package io.mdnf.parity;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.dl4j.MdnfLatent;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.fit.Fit;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.gmm.BayesianGaussianMixture;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.inference.LatentBounds;
import io.mdnf.inference.LatentFit;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.random.Seed;
import io.mdnf.relaxation.GumbelSoftmax;
import io.mdnf.relaxation.RelaxedObjective;
import io.mdnf.relaxation.RelaxedSample;
import io.mdnf.search.Support;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.LatentModel;
import io.mdnf.target.Rows;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.mnist.Mnist;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TableRows;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.commons.rng.UniformRandomProvider;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/** The names that examples may use without declaring them; a package with other meanings has a stage of its own. */
public abstract class Stage {
    protected static CodeSpace space;
    protected static int[][] codes;
    protected static int[] order;
    protected static Seed seed;
    protected static int step;
    protected static int n;
    protected static int samples;
    protected static int components;
    protected static int variables;
    protected static int categories;
    protected static double[] data;
    protected static double[] parameters;
    protected static double[] logJoint;
    protected static double[] logQ;
    protected static double[] p;
    protected static double[] f;
    protected static double[] coupling;
    protected static double[] logWeights;
    protected static double[][] conditional;
    protected static List<Factor> factors;
    protected static List<int[]> scopes;
    protected static MiniBuckets messages;
    protected static Graph graph;
    protected static Tensor x;
    protected static Tensor u;
    protected static Tensor shift;
    protected static Tensor weights;
    protected static Tensor bias;
    protected static Tensor loss;
    protected static Tensor logits;
    protected static Tensor inverseTemperature;
    protected static ExecutionPlan plan;
    protected static ParameterLayout layout;
    protected static ParameterValues values;
    protected static Mixture mixture;
    protected static ShiftFlow shiftFlow;
    protected static CodeDistribution q;
    protected static Atoms atoms;
    protected static Fit fit;
    protected static FactorTarget target;
    protected static VifSettings settings;
    protected static GradientTraining<FlowMixture> training;
    protected static Checkpoint checkpoint;
    protected static Path file;
    protected static Path folder;
    protected static Path csv;
    protected static String html;
    protected static LatentModel model;
    protected static Rows rows;
    protected static LatentFit learned;
    protected static LatentBounds bounds;

    protected static double energy(int[] code) {
        return code.length;
    }

    /** A file's description. */
    public record About(int steps) {}

    /** For the room of checkpoints. */
    public abstract static class Checkpoints extends Stage {
        protected static Path run;
        protected static String text;
        protected static double[] best;
        protected static double bestElbo;
        protected static double[] weights;
        protected static Map<String, String> configuration;
    }

    /** For numbers in log space, and for data. */
    public abstract static class Numbers extends Stage {
        protected static double[] logits;
        protected static double[] weights;
        protected static DigitImages images;
    }

    /** For relaxations. */
    public abstract static class Relaxations extends Stage {
        protected static GumbelSoftmax q;
        protected static RelaxedSample x;
        protected static RelaxedObjective objective;
        protected static Tensor noise;
        protected static Tensor logLikelihood;
    }

    /** For mixtures in a graph. */
    public abstract static class Mixtures extends Stage {
        protected static MixtureGraph q;
        protected static Setting setting;
        protected static Tensor noise;
        protected static Tensor logPrior;

        protected static Tensor logLikelihood(Tensor code) {
            return code;
        }
    }

    /** For searches. */
    public abstract static class Searching extends Stage {
        protected static Support support;
        protected static UniformRandomProvider random;
    }

    /** For networks. */
    public abstract static class Networks extends Stage {
        protected static NetworkTarget target;
        protected static List<TemperatureSchedule> schedules;
        protected static double[][] starts;
    }

    /** For Gaussian mixtures. */
    public abstract static class Clusters extends Stage {
        protected static BayesianGaussianMixture mixture;
        protected static RandomGenerator random;
    }

    /** For autoencoders. */
    public abstract static class Autoencoders extends Stage {
        protected static VaeSettings settings;
        protected static Mnist mnist;
        protected static TrainedVae vae;
        protected static TableRows rows;
    }

    /** For layers of DL4J. */
    public abstract static class Layers extends Stage {
        protected static ComputationGraph graph;
        protected static ComputationGraphConfiguration.GraphBuilder builder;
        protected static Layer encoder;
        protected static Layer decoder;
        protected static MdnfLatent latent;
        protected static MultiDataSetIterator iterator;
        protected static INDArray images;
        protected static INDArray data;
        protected static INDArray z;
        protected static MultiLayerNetwork network;
        protected static ReconstructionDistribution pixels;
        protected static int epochs;
    }

    /** For reports. */
    public abstract static class Reports extends Stage {
        protected static long steps;
        protected static boolean quiet;
        protected static double elbo;
    }
}
