package io.mdnf.cli;

import io.mdnf.fit.Budget;
import io.mdnf.fit.Plan;
import io.mdnf.mixture.Weighting;
import io.mdnf.target.TargetModel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Mixin for commands that fit a posterior: which family, how large, how fitted. */
final class BnPlan {

    enum Asked {
        /** Weighted atoms. */
        JOINT,
        /** A product of distributions. */
        FACTORISED,
        /** Each variable given those before it. */
        AUTOREGRESSIVE,
        /** The posterior itself where that is feasible, else bounded messages; with other options the best of three. */
        AUTO
    }

    @Option(names = "--family", paramLabel = "joint|factorised|autoregressive|auto", defaultValue = "auto",
            description = "The family of posteriors; auto infers exactly where memory allows it, else by bounded "
                    + "messages; with other options it fits all three families and keeps the best bound")
    private Asked family;

    private Asked asked() {
        return family == null ? Asked.AUTO : family;
    }

    @Option(names = "--components", paramLabel = "B|auto", converter = Components.class,
            description = "Flows in the mixture; by default what suits the family: 100 for atoms and "
                    + "products, without number for autoregressive posteriors. auto: atoms are added by bvif while "
                    + "each gains 0.01 nats.")
    private Integer components;

    @Option(names = "--weights", paramLabel = "equal|free",
            description = "Weights of the atoms of a joint mixture; free by default.")
    private Weighting weights;

    @Option(names = "--algorithm", paramLabel = "vif|bvif|bvi",
            description = "How a joint mixture is trained: all flows together (vif, the default), one at a time "
                    + "(bvif), or weights only (bvi).")
    private Plan.Training algorithm;

    @Option(names = "--no-refine",
            description = "Gradients alone: nothing is listed, searched or solved after training.")
    private boolean unrefined;

    @Option(names = "--steps", paramLabel = "N", description = "Steps in which an autoregressive posterior learns what "
            + "messages lost, 1000 by default; with --no-refine, steps of vif.")
    private Integer steps;

    @Option(names = "--budget", paramLabel = "TIME", description = "What an autoregressive posterior may take where "
            + "exact inference is too large, such as 60s or 5m; a minute by default.")
    private String budget;

    private double budget() {
        return budget == null ? Budget.usual().seconds() : TableOptions.seconds(budget);
    }

    /** A number, or as many as gain. */
    static final class Components extends CountOr {
        Components() {
            super("auto", Plan.Joint.GROWING);
        }
    }

    Plan plan(TargetModel target, long memory) {
        check();
        Budget within = Budget.usual().within(budget()).withMemory(memory);
        int b = components == null ? 0 : components;
        int count = steps == null ? 0 : steps;
        Plan.Training usual = b == Plan.Joint.GROWING ? Plan.Training.BVIF : Plan.Training.VIF;
        Plan.Joint atoms = Plan.joint().by(algorithm == null ? usual : algorithm,
                weights == null ? Weighting.FREE : weights).withComponents(b).withSteps(count);
        Plan joint = unrefined ? atoms.unrefined() : atoms;
        Plan.Factorised grid = Plan.factorised().withComponents(Math.max(0, b));
        Plan product = unrefined ? grid.unrefined(count) : grid;
        Plan.Autoregressive learned = Plan.autoregressive().withComponents(Math.max(0, b)).withSteps(count)
                .within(within);
        Plan conditionals = unrefined ? learned.unrefined() : learned;
        return switch (asked()) {
            case JOINT -> joint;
            case FACTORISED -> product;
            case AUTOREGRESSIVE -> conditionals;
            case AUTO -> components == null && weights == null && algorithm == null && steps == null && !unrefined
                    ? Plan.auto(target, within)
                    : new Plan.Best(List.of(joint, product, conditionals));
        };
    }

    private void check() {
        boolean grows = components != null && components == Plan.Joint.GROWING;
        UsageProblem.ifBelowOne("--steps", steps == null ? 1 : steps);
        if (steps != null && !unrefined && (asked() == Asked.JOINT || asked() == Asked.FACTORISED)) {
            throw new UsageProblem("--steps " + steps
                    + ": only --family autoregressive is learned in steps, or what --no-refine leaves to gradients");
        }
        if (grows && (asked() != Asked.JOINT || algorithm != null && algorithm != Plan.Training.BVIF)) {
            throw new UsageProblem("--components auto: only --family joint --algorithm bvif adds one by one");
        }
        boolean together = !grows && (algorithm == null || algorithm == Plan.Training.VIF);
        if (steps != null && asked() == Asked.JOINT && !together) {
            throw new UsageProblem("--steps " + steps + ": only vif trains all flows together, in steps");
        }
        if (algorithm == Plan.Training.VIF && !unrefined && asked() == Asked.AUTOREGRESSIVE) {
            throw new UsageProblem("--algorithm vif: autoregressive posteriors are found by messages; with --no-refine"
                    + " vif trains them");
        }
        if (algorithm == Plan.Training.BVI && unrefined) {
            throw new UsageProblem("--no-refine: bvi has no gradients; it weighs fixed atoms and nothing follows");
        }
        boolean noJoint = asked() == Asked.FACTORISED || asked() == Asked.AUTOREGRESSIVE;
        boolean freeing = algorithm != null && algorithm != Plan.Training.VIF;
        if (noJoint && weights == Weighting.FREE) {
            throw new UsageProblem("--weights free: only --family joint has free weights");
        }
        String how = freeing ? "--algorithm " + Manual.word(algorithm) : "";
        if (noJoint && freeing) {
            throw new UsageProblem(how + ": only --family joint is fitted that way");
        }
        if (freeing && weights == Weighting.EQUAL) {
            throw new UsageProblem("--weights equal: " + how + " makes the weights free");
        }
    }

    /** Refuses options of a fit where one is there already. */
    void refuseBeside(String run) {
        Map<String, String> asked = configuration();
        Map<String, String> usual = new BnPlan().configuration();
        asked.forEach((name, value) -> {
            if (!value.equals(usual.get(name))) {
                throw new UsageProblem("--" + (name.equals("refine") ? "no-refine" : name) + ": the fit in " + run
                        + " is taken as it is; name its network to fit again");
            }
        });
    }

    /** Every setting by name, for a run's manifest. */
    Map<String, String> configuration() {
        Map<String, String> all = new TreeMap<>();
        all.put("family", Manual.word(asked()));
        all.put("components", components == null ? "default"
                : components == Plan.Joint.GROWING ? "auto" : components.toString());
        all.put("refine", Boolean.toString(!unrefined));
        all.put("weights", weights == null ? "default" : Manual.word(weights));
        all.put("algorithm", algorithm == null ? "default" : Manual.word(algorithm));
        all.put("budget", budget == null ? "default" : budget);
        all.put("steps", steps == null ? "default" : steps.toString());
        return all;
    }
}
