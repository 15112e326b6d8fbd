package io.mdnf.cli;

import io.mdnf.mixture.Estimator;
import io.mdnf.vae.CodePrior;
import io.mdnf.vae.FlowHead;
import io.mdnf.vae.LatentAlgorithm;
import io.mdnf.vae.PixelKind;
import io.mdnf.vae.Posterior;
import io.mdnf.vae.UpdateRule;
import io.mdnf.vae.VaeSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Mixin for commands that say which VAE to train: the best found, or the paper's, with what is asked for otherwise. */
final class VaeModelOptions {

    @Option(names = "--paper", description = "The published model: --latents 10 --categories 2 --components 40 "
            + "--posterior product --prior uniform --head paper --estimator chosen --rate 0.001, images in the file's "
            + "order, without normalised layers, decay and warm-up.")
    private boolean paper;

    @Option(names = "--latents", paramLabel = "D", description = "Variables of a code; 20 by default, 10 for a table.")
    private Integer latents;

    @Option(names = "--categories", paramLabel = "K",
            description = "Categories of each variable; 10 by default, 8 for a table.")
    private Integer categories;

    @Option(names = "--posterior", paramLabel = "product|autoregressive|joint|exact",
            description = "The family of q(code | image); exact, where categories^latents is at most 4096, is Bayes' "
                    + "rule over all codes. Autoregressive by default.")
    private Posterior posterior;

    @Option(names = "--prior", paramLabel = "uniform|learned|autoregressive",
            description = "Prior of codes; autoregressive by default, uniform with algorithms that are of a product "
                    + "alone.")
    private CodePrior prior;

    @Option(names = "--components", paramLabel = "B|unlimited", converter = Components.class,
            description = "Flows of the mixture; unlimited, their limit in closed form, by default, 40 if joint.")
    private Integer components;

    @Option(names = "--algorithm", paramLabel = "ALGORITHM",
            description = "How q gets its gradient: mdnf (the default), reinforce (the default up to 1024 codes), "
                    + "wake-sleep, gapped or rao-gumbel; of a product also gumbel, jang, maddison-21, maddison-22, "
                    + "disarm for two categories, and summed where categories^latents is at most 4096; vq and fsq "
                    + "take the nearest code and have no distribution.")
    private LatentAlgorithm algorithm;

    @Option(names = "--estimator", paramLabel = "second-order|averaged|chosen",
            description = "mdnf: whether all flows learn from a code, to second (the default) or to first order, or, "
                    + "as published, the one that was chosen.")
    private Estimator estimator;

    @Option(names = "--samples", paramLabel = "S",
            description = "reinforce, wake-sleep: codes per image in a step; 8 by default.")
    private Integer samples;

    @Option(names = "--moved", description = "reinforce: q also learns from images moved by a pixel.")
    private boolean moved;

    @Option(names = "--straight-through", description = "Gumbel algorithms: train with one-hot codes.")
    private boolean straightThrough;

    @Option(names = "--head", paramLabel = "shared|paper",
            description = "How counted flows of a product get their logits; the paper's head has (D K B)^2 weights.")
    private FlowHead head;

    @Option(names = "--pixels", paramLabel = "grey|threshold|dynamic", defaultValue = "grey",
            description = "What the model sees of a grey pixel")
    private PixelKind pixels;

    @Option(names = "--network", paramLabel = "dense|convolutional", defaultValue = "dense",
            description = "What encoder and decoder are made of; convolutional ones look at neighbouring pixels")
    private NetworkKind network;

    @Option(names = "--batch", paramLabel = "N",
            description = "Images or rows per step; 256 by default, 128 of a table.")
    private Integer batch;

    @Option(names = "--shards", paramLabel = "N", defaultValue = "1", description = "Parts of a batch, each normalised "
            + "by itself and computed on a processor of its own; results depend on it")
    private int shards;

    @Option(names = "--optimiser", paramLabel = "adam|radam", description = "The update rule; adam by default.")
    private UpdateRule optimiser;

    @Option(names = "--rate", paramLabel = "R", description = "Its learning rate; 0.003 by default, of shards "
            + "that are averaged times the root of their number.")
    private Double rate;

    @Option(names = "--temperature", paramLabel = "TAU", description = "Temperature of the gradient of drawn codes; by "
            + "default 3, of counted flows and other algorithms 1, of the paper's head 100.")
    private Double temperature;

    @Option(names = "--no-normalise", description = "Hidden layers without batch normalisation.")
    private boolean plainLayers;

    @Option(names = "--constant-rate", description = "A rate that does not fall to 0 over the epochs.")
    private boolean constantRate;

    @Option(names = "--warm-up", paramLabel = "EPOCHS",
            description = "Epochs over which the divergence's weight grows from 0 to 1; 1 by default.")
    private Double warmUp;

    @Option(names = "--paper-order", description = "Take images in the file's order, as published; else shuffled.")
    private boolean paperOrder;

    /** What encoder and decoder are made of. */
    enum NetworkKind {
        DENSE, CONVOLUTIONAL
    }

    /** A number of flows, or no limit. */
    static final class Components extends CountOr {
        Components() {
            super("unlimited", VaeSettings.UNLIMITED);
        }
    }

    /** The settings for images, or for a table. */
    VaeSettings settings(boolean table) {
        refuse(table && (paper || pixels != PixelKind.GREY), (paper ? "--paper" : "--pixels " + pixels)
                + ": a table has no pixels");
        refuse(table && network == NetworkKind.CONVOLUTIONAL, "--network convolutional: a table has no neighbours");
        refuse(table && moved, "--moved: a row of a table has no pixels to move");
        try {
            VaeSettings dense = asked(table);
            VaeSettings asked = network == NetworkKind.DENSE ? dense : dense.convolutional();
            check(asked);
            return temperature == null ? asked : asked.withTemperature(temperature, asked.temperature().gamma(),
                    Math.min(temperature, asked.temperature().floor()));
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }

    boolean rateIsGiven() {
        return rate != null;
    }

    private VaeSettings asked(boolean table) {
        Map<String, String> map = base(table).toMap();
        Map<String, Object> given = new LinkedHashMap<>();
        given.put("posterior", posterior);
        given.put("prior", prior);
        given.put("algorithm", algorithm);
        given.put("components", components);
        given.put("estimator", estimator);
        given.put("head", head);
        given.put("optimiser", optimiser);
        given.put("rate", rate);
        given.put("batch", batch);
        given.put("warmUp", warmUp);
        given.put("samples", samples != null ? samples : algorithm != null && algorithm.comparesCodes() ? 8 : null);
        given.put("pixels", pixels);
        given.put("shards", shards);
        given.put("moved", moved ? true : null);
        given.put("straightThrough", straightThrough ? true : null);
        given.put("normalised", plainLayers ? false : null);
        given.put("decaying", constantRate ? false : null);
        given.put("shuffled", paperOrder ? false : null);
        given.forEach((name, value) -> {
            if (value != null) {
                map.put(name, value.toString());
            }
        });
        VaeSettings asked = VaeSettings.of(map);
        boolean counted = asked.algorithm() == LatentAlgorithm.MDNF && asked.components() != VaeSettings.UNLIMITED;
        return counted ? asked.withHead(asked.head()) : asked;
    }

    /** What holds where nothing is said. */
    private VaeSettings base(boolean table) {
        if (paper) {
            return VaeSettings.paper(or(latents, 10), or(categories, 2), or(components, 40));
        }
        boolean flows = algorithm != null || estimator != null || temperature != null || components != null
                || posterior == Posterior.JOINT || posterior == Posterior.EXACT;
        VaeSettings usual = table ? VaeSettings.table(or(latents, 10), or(categories, 8))
                : VaeSettings.of(or(latents, 20), or(categories, 10));
        VaeSettings best = flows ? usual.withAlgorithm(LatentAlgorithm.MDNF, 1) : usual;
        if (algorithm != null && algorithm != LatentAlgorithm.MDNF && !algorithm.comparesCodes()) {
            var plain = VaeSettings.plain(algorithm, best.latents(), best.categories(), 1).temperature();
            VaeSettings own = best.withTemperature(plain.tau(), plain.gamma(), plain.floor());
            return algorithm.needsProduct() ? own.withPosterior(Posterior.PRODUCT).withPrior(CodePrior.UNIFORM) : own;
        }
        return posterior == Posterior.JOINT ? best.withComponents(or(components, 40)) : best;
    }

    /** What would have no effect is refused. */
    private void check(VaeSettings asked) {
        boolean counted = asked.components() != VaeSettings.UNLIMITED;
        boolean drawn = asked.posterior() != Posterior.EXACT
                && (asked.algorithm().isCarried() || asked.algorithm().isRelaxed());
        refuse(head != null && (!counted || asked.posterior() == Posterior.AUTOREGRESSIVE), "--head " + head
                + ": only counted flows of a product or a joint mixture have one; add --components 40");
        refuse(estimator != null && (asked.algorithm() != LatentAlgorithm.MDNF || asked.posterior() == Posterior.JOINT
                || !drawn), "--estimator " + estimator + ": only mdnf's products and conditionals have one");
        refuse(temperature != null && !drawn,
                "--temperature " + temperature + ": no drawn code carries a gradient here");
        refuse(warmUp != null && asked.algorithm().isQuantised() && asked.prior() == CodePrior.UNIFORM, "--warm-up "
                + warmUp + ": under a uniform prior the one code of " + asked.algorithm()
                + " costs the same everywhere");
        boolean divergent = asked.posterior() != Posterior.EXACT && asked.algorithm() != LatentAlgorithm.WAKE_SLEEP;
        refuse(warmUp != null && !divergent, "--warm-up " + warmUp
                + ": exact and wake-sleep have no divergence to weigh in what they maximise");
    }

    private static void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new UsageProblem(what);
        }
    }

    private static int or(Integer asked, int otherwise) {
        return asked == null ? otherwise : asked;
    }
}
