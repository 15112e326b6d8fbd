package io.mdnf.explorer;

import com.fasterxml.jackson.databind.JsonNode;
import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.Questions;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.fit.Answer;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.plot.LayeredLayout.Arc;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The page of a network: evidence in, marginals out. Exact on one junction tree where that is feasible; else bounds and
 * weighted samples, better ones the longer somebody waits.
 */
public final class NetworkPage implements Page {

    /** What a first answer may take where inference is not exact, in seconds; each next one takes four times that. */
    private static final double FIRST = 1.5;
    /** How often an answer is improved. */
    private static final int EFFORTS = 4;
    /** Tables of more entries make a file that nobody mails, and pages that a browser does not answer at once. */
    private static final int LARGEST_COPY = 200_000;
    private static final int MOST_EXPLANATIONS = 100;

    private final NamedFactors model;
    private final String source;
    private final boolean directed;
    private final List<Arc> arcs;
    /** Nothing observed; empty if exact inference is too large. */
    private final Optional<Questions> prior;
    private final Turns exactly = new Turns(Runtime.getRuntime().availableProcessors());
    /** Estimates take both memory and all processors; nobody's first answer waits for another's better one. */
    private final Turns first = new Turns(1);
    private final Turns better = new Turns(1);

    private NetworkPage(NamedFactors model, String source, boolean directed, List<Arc> arcs) {
        this.model = model;
        this.source = source;
        this.directed = directed;
        this.arcs = arcs;
        this.prior = exact(model);
    }

    private static Optional<Questions> exact(NamedFactors model) {
        int[] nothing = new int[model.variables().size()];
        Arrays.fill(nothing, JunctionTree.LATENT);
        try {
            return Optional.of(Questions.of(model, nothing));
        } catch (TooLargeException e) {
            return Optional.empty();
        }
    }

    /** The page of a network; the source is what it is called on the command line. */
    public static NetworkPage of(BayesianNetwork network, String source) {
        List<Arc> arcs = new ArrayList<>();
        for (int child = 0; child < network.size(); child++) {
            for (int parent : network.parents(child)) {
                arcs.add(new Arc(parent, child));
            }
        }
        return new NetworkPage(NamedFactors.of(network), source, true, arcs);
    }

    /** The page of any model of factors: those that share one are joined, without a direction. */
    public static NetworkPage of(NamedFactors model, String source) {
        Set<Arc> arcs = new LinkedHashSet<>();
        for (Factor factor : model.factors()) {
            int[] scope = factor.variables();
            for (int a : scope) {
                for (int b : scope) {
                    if (a < b) {
                        arcs.add(new Arc(a, b));
                    }
                }
            }
        }
        return new NetworkPage(model, source, false, List.copyOf(arcs));
    }

    @Override
    public Map<String, Object> look() {
        Map<String, Object> look = new LinkedHashMap<>();
        look.put("kind", "network");
        look.put("name", model.name());
        look.put("source", source);
        look.put("directed", directed);
        look.put("variables", IntStream.range(0, model.variables().size()).mapToObj(v -> Map.of("name",
                model.variables().get(v), "states", model.states().get(v), "parents", directed
                        ? arcs.stream().filter(arc -> arc.to() == v).map(Arc::from).toList()
                        : List.of())).toList());
        look.put("arcs", arcs.stream().map(arc -> new int[] {arc.from(), arc.to()}).toList());
        look.put("layouts", Map.of("open", NetworkDrawing.open(model, arcs), "folded",
                NetworkDrawing.folded(model, arcs)));
        look.put("exact", prior.isPresent());
        look.put("prior", prior.map(NetworkPage::marginals).orElse(null));
        return look;
    }

    /**
     * Returns the page as one file that asks nobody: it holds the tables and answers exactly.
     *
     * @throws IllegalArgumentException if the tables are too large for that
     */
    public String alone() throws IOException {
        Check.that(prior.isPresent() && prior.get().entries() <= LARGEST_COPY, "network '",
                model.name(), "' is too large to be answered inside a page: exact inference there may take ",
                LARGEST_COPY, " entries");
        Map<String, Object> look = look();
        look.put("factors", model.factors().stream().map(factor -> Map.of("scope", factor.variables(), "table",
                factor.logTable())).toList());
        return WebFiles.alone(look);
    }

    private static double[][] marginals(Questions questions) {
        return IntStream.range(0, questions.model().variables().size()).mapToObj(questions::marginal)
                .toArray(double[][]::new);
    }

    @Override
    public Object answer(String question, JsonNode about, BooleanSupplier cancelled) throws IOException {
        if (question.equals("page")) {
            return Map.of("html", alone());
        }
        Case asked = Case.of(model, about);
        if (question.equals("marginals") && prior.isEmpty()) {
            int effort = Math.max(0, about.path("effort").asInt());
            return (effort == 0 ? first : better).take(cancelled, () -> estimated(asked, effort, cancelled));
        }
        return exactly.take(cancelled, () -> question.equals("marginals") ? exact(asked)
                : told(question, asked, about));
    }

    private Object told(String question, Case asked, JsonNode about) {
        Questions questions = questions(asked);
        return switch (question) {
            case "influences" -> Map.of("influences", questions.influences(variable(about.path("target"))));
            case "information" -> Map.of("information", questions.information(variable(about.path("target"))));
            case "joint" -> {
                int[] variables = {variable(about.path("variables").path(0)),
                    variable(about.path("variables").path(1))};
                Check.that(variables[0] != variables[1], "a joint is of two different variables");
                yield Map.of("joint", questions.joint(variables));
            }
            case "explanations" -> Map.of("explanations", questions.mostProbable(Math.max(1,
                    Math.min(MOST_EXPLANATIONS, about.path("count").asInt()))));
            default -> throw new IllegalArgumentException("nobody answers '" + question + "'");
        };
    }

    private int variable(JsonNode number) {
        int v = number.asInt(-1);
        Check.that(v >= 0 && v < model.variables().size(), "variable ", number, " is none of the ",
                model.variables().size());
        return v;
    }

    private Questions questions(Case asked) {
        Check.that(prior.isPresent(), "exact inference on '", model.name(), "' is too large here");
        Questions questions = prior.get().given(asked.observed());
        for (Map.Entry<Integer, double[]> soft : asked.soft().entrySet()) {
            questions = questions.soft(soft.getKey(), soft.getValue());
        }
        return questions;
    }

    private Map<String, Object> exact(Case asked) {
        long start = System.nanoTime();
        Questions questions;
        try {
            questions = questions(asked);
        } catch (IllegalArgumentException e) {
            return Map.of("impossible", true);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("exact", true);
        answer.put("marginals", marginals(questions));
        answer.put("couplings", questions.couplings().stream()
                .map(each -> new double[] {each.first(), each.second(), each.nats()}).toList());
        answer.put("lower", questions.logEvidence());
        answer.put("upper", questions.logEvidence());
        answer.put("how", "exact inference on one junction tree");
        answer.put("seconds", (System.nanoTime() - start) * 1e-9);
        return answer;
    }

    private Map<String, Object> estimated(Case asked, int effort, BooleanSupplier cancelled) {
        double seconds = FIRST * Math.pow(4, Math.min(effort, EFFORTS - 1));
        Answer found;
        try {
            Budget budget = Budget.usual();
            found = new Answers(asked.target(model), budget.within(seconds).withMemory(budget.memory() / 2))
                    .whilst(known -> !cancelled.getAsBoolean()).ask(Seed.of(1));
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e); // zeros that no sample avoided
        }
        try (var distribution = found.distribution()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("exact", found.isExact());
            answer.put("marginals", asked.seen(found.marginals(), model, 1));
            answer.put("errors", asked.seen(found.standardErrors(), model, 0));
            answer.put("lower", found.logEvidence().lower());
            answer.put("upper", found.logEvidence().upper());
            answer.put("estimate", found.logEvidence().estimate().value());
            answer.put("estimateError", found.logEvidence().estimate().standardError());
            answer.put("how", found.algorithm());
            answer.put("sentence", found.sentence());
            answer.put("seconds", found.seconds());
            answer.put("more", !found.isExact() && effort < EFFORTS - 1);
            return answer;
        }
    }

    /** What a page says was observed: {@code {evidence: [[variable, state]], soft: [[variable, [likelihood]]]}}. */
    private record Case(int[] observed, Map<Integer, double[]> soft) {

        static Case of(NamedFactors model, JsonNode about) {
            int[] observed = new int[model.variables().size()];
            Arrays.fill(observed, JunctionTree.LATENT);
            for (JsonNode pair : about.path("evidence")) {
                int v = pair.path(0).asInt(-1);
                int state = pair.path(1).asInt(-1);
                Check.that(v >= 0 && v < observed.length && state >= 0 && state < model.states().get(v).size(),
                        "evidence ", pair, " is no state of a variable");
                observed[v] = state;
            }
            Map<Integer, double[]> soft = new LinkedHashMap<>();
            for (JsonNode pair : about.path("soft")) {
                int v = pair.path(0).asInt(-1);
                Check.that(v >= 0 && v < observed.length && pair.path(1).size() == model.states().get(v).size(),
                        "soft evidence ", pair, " is not one likelihood for each state of a variable");
                double[] likelihood = new double[pair.path(1).size()];
                Arrays.setAll(likelihood, k -> pair.path(1).path(k).asDouble(-1));
                Check.that(Arrays.stream(likelihood).allMatch(p -> p >= 0 && p < Double.POSITIVE_INFINITY)
                        && Arrays.stream(likelihood).sum() > 0, "soft evidence ", pair, " are no likelihoods");
                soft.put(v, likelihood);
            }
            return new Case(observed, soft);
        }

        FactorTarget target(NamedFactors model) {
            List<Factor> factors = new ArrayList<>(model.factors());
            soft.forEach((v, likelihood) -> factors.add(new Factor(new int[] {v},
                    Arrays.stream(likelihood).map(Math::log).toArray())));
            return new NamedFactors(model.name(), model.variables(), model.states(), factors).target(observed);
        }

        /** Figures of what is latent; an observed variable has one figure at its state, and 0 elsewhere. */
        double[][] seen(double[][] figures, NamedFactors model, double ofObserved) {
            return IntStream.range(0, observed.length).mapToObj(v -> {
                if (observed[v] == JunctionTree.LATENT) {
                    return figures[v];
                }
                double[] known = new double[model.states().get(v).size()];
                known[observed[v]] = ofObserved;
                return known;
            }).toArray(double[][]::new);
        }
    }
}
