package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.file.Sha256;
import io.mdnf.mixture.Mixture;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.TargetModel;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a run is: its algorithm, settings, target and data as named, readable values. A checkpoint keeps it, so that a
 * run resumed with others is refused, and the difference named.
 *
 * <p>What is too large to read is represented by a hash: data and factors by all their numbers, a black box by its
 * values at some codes, a mixture by some codes it draws. When a run ends is no part of what it is: any run may be
 * taken further.
 *
 * <pre>{@code
 * Fingerprint.of("vif").with("settings", settings).target(target).mixture(mixture)
 * }</pre>
 */
public record Fingerprint(Map<String, String> values) {

    /** Codes at which black boxes and mixtures are looked at. */
    private static final int CODES = 64;
    private static final Seed SEED = Seed.of(0);
    private static final int MOST_NAMED = 3;

    /** Copies. */
    public Fingerprint {
        values = Map.copyOf(values);
    }

    /** Begins with the algorithm's name. */
    public static Fingerprint of(String algorithm) {
        return new Fingerprint(Map.of("algorithm", algorithm));
    }

    /** Adds a value by its text, or a record of such by its components; a {@link StopRule} is left out. */
    public Fingerprint with(String name, Object value) {
        if (value instanceof StopRule) {
            return this;
        }
        if (value instanceof Record settings && settings.getClass().getRecordComponents().length > 0) {
            Fingerprint all = this;
            for (RecordComponent part : settings.getClass().getRecordComponents()) {
                all = all.with(name + "." + part.getName(), read(settings, part));
            }
            return all.with(name, settings.getClass().getSimpleName());
        }
        Map<String, String> more = new TreeMap<>(values);
        more.put(name, text(value).replaceAll("\\s+", " "));
        return new Fingerprint(more);
    }

    private static Object read(Record settings, RecordComponent part) {
        try {
            var accessor = part.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + part + " of " + settings, e);
        }
    }

    /** A schedule written as a function has no text of its own: what it says at some steps is what it is. */
    private static String text(Object value) {
        return value instanceof TemperatureSchedule schedule && !(value instanceof Record)
                ? LongStream.of(0, 1, 10, 100, 1000, 10_000).mapToObj(step -> Double.toString(schedule.at(step)))
                        .collect(Collectors.joining(" "))
                : String.valueOf(value);
    }

    /** Adds what is fitted to: its factors where they are known, else its values at some codes. */
    public Fingerprint target(TargetModel target) {
        Sha256 hash = new Sha256();
        List<Factor> factors = target.factors();
        if (factors.isEmpty()) {
            CodeSpace space = target.space();
            Draws draws = new Draws(SEED);
            int[][] codes = new int[CODES][space.variables()];
            for (int d = 0; d < space.variables(); d++) {
                int[] column = draws.uniform("variable" + d, CODES, space.cardinality(d));
                for (int i = 0; i < CODES; i++) {
                    codes[i][d] = column[i];
                }
            }
            // as floats: the last bits of a logarithm are the machine's
            Arrays.stream(target.logJoint(codes)).forEach(value -> hash.add((float) value));
        }
        for (Factor factor : factors) {
            hash.add(factor.variables());
            hash.add(factor.logTable());
        }
        return with("target", target + " " + hash);
    }

    /** Adds what is fitted, represented by codes it draws at parameters of its own. */
    public Fingerprint mixture(Mixture mixture) {
        Sha256 hash = new Sha256();
        try (FlowMixture q = new FlowMixture(mixture, mixture.layout().initial(SEED))) {
            hash.add(q.sample(CODES, SEED));
        }
        return with("mixture", mixture + " " + hash);
    }

    /** Returns all values, a line each, by name. */
    public String text() {
        return new TreeMap<>(values).entrySet().stream().map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** Checks that a checkpoint is of this run; if not, an IllegalArgumentException names the difference. */
    public void require(Checkpoint checkpoint) {
        if (checkpoint.configuration().equals(text())) {
            return;
        }
        Map<String, String> was = new TreeMap<>();
        for (String line : checkpoint.configuration().split("\n")) {
            int colon = line.indexOf(": ");
            was.put(colon < 0 ? "configuration" : line.substring(0, colon), line.substring(colon < 0 ? 0 : colon + 2));
        }
        List<String> differences = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(was.keySet());
        names.addAll(values.keySet());
        for (String name : names) {
            String old = was.getOrDefault(name, "not given");
            String now = values.getOrDefault(name, "not given");
            if (!old.equals(now)) {
                differences.add(name + " was " + old + ", is " + now);
            }
        }
        int more = differences.size() - MOST_NAMED;
        throw new IllegalArgumentException("the checkpoint is of another run: "
                + String.join("; ", differences.subList(0, Math.min(MOST_NAMED, differences.size())))
                + (more > 0 ? "; and " + more + " more" : ""));
    }
}
