package io.mdnf.bn;

import io.mdnf.elimination.Reduction;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which variables of a network were observed, and in which state. The others are latent.
 *
 * <p>The text form is {@code A=x,B=y}. A name ends at the first equals sign and a value at the next comma, so
 * {@code age=>=65} needs no quotes; names or values that hold more than that go in double quotes, inside which
 * {@code \"} and {@code \\} stand for themselves: {@code "a,b"="x=y"}.
 */
public final class Evidence {

    private static final int LATENT = -1;
    private static final String QUOTED = "\\s*+(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";
    /** Variable and state, each quoted or plain, and the comma behind them or the end. */
    private static final Pattern PAIR = Pattern.compile(QUOTED + "|([^\"=,][^=,]*+))\\s*+=" + QUOTED
            + "|([^\",][^,]*+))\\s*+(?:,|\\z)");

    private final BayesianNetwork network;
    private final int[] states;
    /** Made when first asked for: the target and exact inference share them. */
    private volatile List<Factor> factors;
    private volatile Reduction reduction;

    private Evidence(BayesianNetwork network, int[] states) {
        this.network = network;
        this.states = states;
    }

    /** Returns no observation: every variable is latent. */
    public static Evidence none(BayesianNetwork network) {
        return of(network, Map.of());
    }

    /**
     * Returns evidence from names; an IllegalArgumentException has the nearest name if a variable or state is unknown.
     */
    public static Evidence of(BayesianNetwork network, Map<String, String> observed) {
        int[] states = new int[network.size()];
        Arrays.fill(states, LATENT);
        observed.forEach((variable, state) -> {
            int i = network.indexOf(variable);
            states[i] = network.node(i).indexOf(state);
        });
        return new Evidence(network, states);
    }

    /**
     * Reads {@code A=x,B=y}; blank text is none. An IllegalArgumentException says what is wrong and what is allowed.
     */
    public static Evidence parse(BayesianNetwork network, String text) {
        return of(network, pairs(text));
    }

    /** {@return the network this evidence is about} */
    public BayesianNetwork network() {
        return network;
    }

    /** Returns whether the node at a position was observed. */
    public boolean isObserved(int i) {
        return states[i] != LATENT;
    }

    /** Returns the observed state of a node; an IllegalArgumentException if it is latent. */
    public int state(int i) {
        if (!isObserved(i)) {
            throw new IllegalArgumentException("variable " + Names.quote(network.node(i).name())
                    + " was not observed; evidence: " + this);
        }
        return states[i];
    }

    /** {@return positions of the latent nodes, ascending, [D]} */
    public int[] latents() {
        return IntStream.range(0, states.length).filter(i -> !isObserved(i)).toArray();
    }

    /** The latent ones of a node's parents and itself, parents first. */
    int[] latentFamily(int i) {
        return IntStream.concat(IntStream.of(network.parents(i)), IntStream.of(i)).filter(v -> !isObserved(v))
                .toArray();
    }

    /** {@return numbers of states of the latent nodes, in the order of latents(), [D]} */
    public int[] latentCardinalities() {
        return Arrays.stream(latents()).map(network::cardinality).toArray();
    }

    /**
     * Puts a code of the latents() [D] and the observed states together, [network().size()]; an
     * IllegalArgumentException if the code has the wrong length.
     */
    public int[] complete(int[] code) {
        int[] latents = latents();
        if (code.length != latents.length) {
            throw new IllegalArgumentException("code has length " + code.length + ", expected " + latents.length
                    + ", one state per latent variable");
        }
        int[] configuration = states.clone();
        for (int d = 0; d < code.length; d++) {
            configuration[latents[d]] = code[d];
        }
        return configuration;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Evidence evidence && network.equals(evidence.network)
                && Arrays.equals(states, evidence.states);
    }

    @Override
    public int hashCode() {
        return 31 * network.hashCode() + Arrays.hashCode(states);
    }

    /** The text form, which {@link #parse} reads back. */
    @Override
    public String toString() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            if (isObserved(i)) {
                Node node = network.node(i);
                pairs.add(quoted(node.name(), ",=\"") + "=" + quoted(node.states().get(states[i]), ",\""));
            }
        }
        return String.join(",", pairs);
    }

    /** p(node i | parents) of all nodes i with the evidence put in, as functions of latent variables 0 .. D - 1. */
    List<Factor> factors() {
        if (factors == null) {
            int[] nodes = latents();
            int[] all = complete(new int[nodes.length]);
            factors = IntStream.range(0, network.size()).mapToObj(i -> factor(i, nodes, all)).toList();
        }
        return factors;
    }

    /** The factors made smaller by their zeros; of at least one latent variable. */
    Reduction reduction() {
        if (reduction == null) {
            reduction = Reduction.of(CodeSpace.of(latentCardinalities()), factors());
        }
        return reduction;
    }

    /** Of the node i; where latent nodes are, and a configuration to write their states into. */
    private Factor factor(int i, int[] nodes, int[] all) {
        int[] latent = latentFamily(i);
        int entries = IntStream.of(latent).map(network::cardinality).reduce(1, Math::multiplyExact);
        double[] logTable = new double[entries];
        for (int entry = 0; entry < entries; entry++) {
            int left = entry;
            for (int v = latent.length - 1; v >= 0; v--) {
                all[latent[v]] = left % network.cardinality(latent[v]);
                left /= network.cardinality(latent[v]);
            }
            logTable[entry] = Math.log(network.node(i).probability(network.row(i, all), all[i]));
        }
        return new Factor(IntStream.of(latent).map(node -> Arrays.binarySearch(nodes, node)).toArray(), logTable);
    }

    private static String quoted(String name, String special) {
        boolean plain = name.equals(name.strip()) && name.chars().noneMatch(c -> special.indexOf(c) >= 0);
        return plain ? name : Names.escaped(name);
    }

    /** The text form as pairs of names. */
    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        Matcher pair = PAIR.matcher(text);
        boolean more = !text.isBlank();
        while (more) {
            Check.that(pair.lookingAt(), "evidence " + Names.quote(text) + ": found "
                    + Names.quote(text.substring(pair.regionStart())) + ", expected variable=state");
            String variable = name(pair.group(1), pair.group(2));
            Check.that(pairs.put(variable, name(pair.group(3), pair.group(4))) == null, "evidence " + Names.quote(text)
                    + ": variable " + Names.quote(variable) + " appears twice");
            more = text.charAt(pair.end() - 1) == ',';
            pair.region(pair.end(), text.length());
        }
        return pairs;
    }

    private static String name(String quoted, String plain) {
        return quoted == null ? plain.strip() : Names.unescaped(quoted);
    }
}
