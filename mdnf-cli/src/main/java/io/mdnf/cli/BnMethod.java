package io.mdnf.cli;

import io.mdnf.fit.Plan;
import io.mdnf.mixture.Weighting;
import io.mdnf.space.CodeSpace;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Mixin for commands that fit a posterior: which family, how large, how fitted. */
final class BnMethod {

    enum Asked {
        /** Weighted atoms. */
        JOINT,
        /** A product of distributions. */
        FACTORISED,
        /** Each variable given those before it. */
        AUTOREGRESSIVE,
        /** The posterior itself where it can be listed, else all three; the best bound is kept. */
        AUTO
    }

    @Option(names = "--structure", paramLabel = "joint|factorised|autoregressive|auto", defaultValue = "auto",
            description = "The family of posteriors; auto lists all codes where they are few and nothing else is asked "
                    + "for, and otherwise fits all three families and keeps the best bound")
    private Asked structure;

    @Option(names = "--components", paramLabel = "B",
            description = "Flows in the mixture; by default what suits the family.")
    private Integer components;

    @Option(names = "--weights", paramLabel = "equal|free",
            description = "Weights of the atoms of a joint mixture; free by default.")
    private Weighting weights;

    @Option(names = "--algorithm", paramLabel = "vif|bvif|bvi",
            description = "How a joint mixture is trained: all flows together (vif, the default), one at a time "
                    + "(bvif), or weights only (bvi).")
    private Plan.Training algorithm;

    @Option(names = "--steps", paramLabel = "N",
            description = "Steps in which an autoregressive posterior is learned; 3000 by default.")
    private Integer steps;

    Plan plan(CodeSpace space) {
        check();
        int b = components == null ? 0 : components;
        Plan joint = Plan.joint().withComponents(b).by(algorithm == null ? Plan.Training.VIF : algorithm,
                weights == null ? Weighting.FREE : weights);
        Plan product = Plan.factorised().withComponents(b);
        Plan conditionals = Plan.autoregressive().withComponents(b).withSteps(steps == null ? 0 : steps);
        return switch (structure) {
            case JOINT -> joint;
            case FACTORISED -> product;
            case AUTOREGRESSIVE -> conditionals;
            case AUTO -> components == null && weights == null && algorithm == null && steps == null
                    ? Plan.auto(space) : new Plan.Best(List.of(joint, product, conditionals));
        };
    }

    private void check() {
        UsageProblem.ifBelowOne("--components", components == null ? 1 : components);
        UsageProblem.ifBelowOne("--steps", steps == null ? 1 : steps);
        if (steps != null && (structure == Asked.JOINT || structure == Asked.FACTORISED)) {
            throw new UsageProblem("--steps " + steps + ": only --structure autoregressive is learned in steps");
        }
        boolean noJoint = structure == Asked.FACTORISED || structure == Asked.AUTOREGRESSIVE;
        boolean freeing = algorithm != null && algorithm != Plan.Training.VIF;
        if (noJoint && weights == Weighting.FREE) {
            throw new UsageProblem("--weights free: only --structure joint has free weights");
        }
        String asked = freeing ? "--algorithm " + Manual.word(algorithm) : "";
        if (noJoint && freeing) {
            throw new UsageProblem(asked + ": only --structure joint is fitted that way");
        }
        if (freeing && weights == Weighting.EQUAL) {
            throw new UsageProblem("--weights equal: " + asked + " makes the weights free");
        }
    }

    /** Every setting by name, for a run's manifest. */
    Map<String, String> configuration() {
        Map<String, String> all = new TreeMap<>();
        all.put("structure", Manual.word(structure));
        all.put("components", components == null ? "default" : components.toString());
        all.put("weights", weights == null ? "default" : Manual.word(weights));
        all.put("algorithm", algorithm == null ? "default" : Manual.word(algorithm));
        all.put("steps", steps == null ? "default" : steps.toString());
        return all;
    }
}
