package io.mdnf.bn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final BayesianNetwork network;
    private final int[] states;

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
        return of(network, new Parser(text).pairs());
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

    private static String quoted(String name, String special) {
        boolean plain = name.equals(name.strip()) && name.chars().noneMatch(c -> special.indexOf(c) >= 0);
        return plain ? name : Names.escaped(name);
    }

    /** Splits the text form into pairs of names. */
    private static final class Parser {

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Map<String, String> pairs() {
            Map<String, String> pairs = new LinkedHashMap<>();
            if (text.isBlank()) {
                return pairs;
            }
            do {
                String variable = token("=");
                if (at == text.length() || text.charAt(at++) != '=') {
                    throw wrong("found " + Names.quote(variable) + " without '=', expected variable=state");
                }
                String state = token(",");
                if (variable.isEmpty() || state.isEmpty()) {
                    throw wrong("found an empty " + (variable.isEmpty() ? "variable" : "state")
                            + ", expected variable=state");
                }
                if (pairs.put(variable, state) != null) {
                    throw wrong("variable " + Names.quote(variable) + " appears twice");
                }
            } while (at < text.length() && text.charAt(at++) == ',');
            return pairs;
        }

        private String token(String end) {
            skipBlanks();
            if (text.startsWith("\"", at)) {
                return quotedToken(end);
            }
            int start = at;
            while (at < text.length() && text.charAt(at) != ',' && end.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at).strip();
        }

        private String quotedToken(String end) {
            int open = at;
            int close = Names.closingQuote(text, open);
            if (close == text.length()) {
                throw wrong("the quote opened at character " + (open + 1) + " is not closed, expected '\"'");
            }
            at = close + 1;
            skipBlanks();
            if (at < text.length() && !text.startsWith(end, at)) {
                throw wrong("found " + Names.quote(text.substring(at)) + " after a quoted name, expected '" + end
                        + "'");
            }
            return Names.unescaped(text.substring(open + 1, close));
        }

        private void skipBlanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("evidence " + Names.quote(text) + ": " + what);
        }
    }
}
