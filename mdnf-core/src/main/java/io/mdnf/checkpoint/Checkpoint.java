package io.mdnf.checkpoint;

import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Everything a run needs to go on as if it had never stopped: parameters, optimiser state, step, seed, configuration.
 *
 * <p>A value: arrays are copied on the way in and out. Non-finite parameters or optimiser state are refused, so that no
 * run ever resumes from a diverged state.
 *
 * <pre>{@code
 * Checkpoint checkpoint = Checkpoint.of(text, seed, step, plan.layout(), plan.parameters())
 *         .optimiser(Precision.DOUBLE, "Adam", plan.optimiserState(), plan.updates())
 *         .array("best.parameters", best).array("best.elbo", bestElbo);
 * checkpoint.write(file);
 * }</pre>
 */
public final class Checkpoint {

    private static final String PARAMETERS = "parameters";
    private static final String STATE = "state/";
    private static final String EXTRA = "extra/";

    /** The name and shape of a parameter. */
    private record Shape(String name, long[] shape) {}

    /** All but the arrays; also how it stands in the file. */
    private record Description(String configuration, long seed, long step, Precision precision, List<Shape> layout,
                               String optimiser, int slots, long updates, SortedMap<String, Long> numbers) {}

    private final Description about;
    private final ParameterLayout layout;
    /** The parameters, the vectors of the optimiser's state and the extra arrays, as they stand in the file. */
    private final SortedMap<String, double[]> arrays;

    private Checkpoint(Description about, SortedMap<String, double[]> arrays) {
        this.about = about;
        this.arrays = arrays;
        this.layout = new ParameterLayout(about.layout.stream()
                .map(parameter -> new Parameter(parameter.name, Initialiser.constant(0), parameter.shape)).toList());
    }

    private Checkpoint checked() {
        Check.that(about.step >= 0, "step = ", about.step, ": must be at least 0");
        Check.that(about.updates >= 0, "updates = ", about.updates, ": must be at least 0");
        check("parameters", PARAMETERS);
        for (int slot = 0; slot < about.slots; slot++) {
            check("optimiserState[" + slot + "]", STATE + slot);
        }
        return this;
    }

    private void check(String what, String array) {
        double[] values = find(arrays, "array", "", array);
        Check.that(values.length == layout.size(), what, " has ", values.length, " values, the layout has ",
                layout.size());
        for (int i = 0; i < values.length; i++) {
            boolean wide = about.precision == Precision.FLOAT && (float) values[i] != values[i];
            if (wide || !Double.isFinite(values[i])) {
                int at = i;
                Parameter last = layout.parameters().stream().filter(p -> layout.offset(p.name()) <= at)
                        .reduce((a, b) -> b).orElseThrow();
                throw new IllegalArgumentException(what + "[" + i + "] = " + values[i] + ", in parameter " + last
                        + (Double.isFinite(values[i]) ? ": not a 32-bit number, as precision FLOAT promises"
                                : ": a checkpoint holds finite values only"));
            }
        }
    }

    /**
     * A checkpoint of a run after some steps: a text that says what was run, its seed, and the parameters, flat
     * [layout.size()]. Throws IllegalArgumentException if a length does not fit or a value is not finite, as
     * {@link #optimiser} does.
     */
    public static Checkpoint of(String configuration, Seed seed, long step, ParameterLayout layout,
            double[] parameters) {
        List<Shape> shapes = layout.parameters().stream().map(p -> new Shape(p.name(), p.shape())).toList();
        return new Checkpoint(new Description(configuration, seed.value(), step, Precision.DOUBLE, shapes, "", 0, 0,
                new TreeMap<>()), new TreeMap<>(Map.of(PARAMETERS, parameters.clone()))).checked();
    }

    /**
     * Returns the same with an optimiser: the model's type, FLOAT if all parameters and the state are floats, the
     * rule's name, its vectors [slots][layout.size()], and the updates it has made.
     */
    public Checkpoint optimiser(Precision type, String rule, double[][] state, long updates) {
        SortedMap<String, double[]> more = new TreeMap<>(arrays);
        IntStream.range(0, state.length).forEach(slot -> more.put(STATE + slot, state[slot].clone()));
        return new Checkpoint(new Description(about.configuration, about.seed, about.step, type, about.layout, rule,
                state.length, updates, about.numbers), more).checked();
    }

    /** Returns the same with an extra array, such as the best parameters so far; infinities are allowed here. */
    public Checkpoint array(String name, double... values) {
        SortedMap<String, double[]> more = new TreeMap<>(arrays);
        more.put(EXTRA + name, values.clone());
        return new Checkpoint(about, more);
    }

    /** Returns the same with an extra whole number, such as the step of the last improvement. */
    public Checkpoint number(String name, long value) {
        SortedMap<String, Long> more = new TreeMap<>(about.numbers);
        more.put(name, value);
        return new Checkpoint(new Description(about.configuration, about.seed, about.step, about.precision,
                about.layout, about.optimiser, about.slots, about.updates, more), arrays);
    }

    /** Writes the checkpoint, as {@link StoredFile#write} does: whole or not at all, replacing what is there. */
    public void write(Path file) throws StoredFileException {
        StoredFile.write(file, StoredFile.Kind.CHECKPOINT, about, arrays);
    }

    /** Reads a checkpoint back, its hash checked first; throws if it is not there, damaged, or of another version. */
    public static Checkpoint read(Path file) throws StoredFileException {
        return StoredFile.read(file, StoredFile.Kind.CHECKPOINT, Description.class,
                (about, arrays) -> new Checkpoint(about, arrays).checked());
    }

    /** Returns what was run, as the caller's text. */
    public String configuration() {
        return about.configuration;
    }

    /** Returns the seed of the run. */
    public Seed seed() {
        return new Seed(about.seed);
    }

    /** Returns how many steps were done. */
    public long step() {
        return about.step;
    }

    /** Returns names and shapes of the parameters. */
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns the model's floating point type: FLOAT parameters and optimiser state take 32 bits each. */
    public Precision precision() {
        return about.precision;
    }

    /** Returns a copy of the parameters, flat [layout().size()]. */
    public double[] parameters() {
        return arrays.get(PARAMETERS).clone();
    }

    /** Returns the name of the optimiser's rule, "" if there is none. */
    public String optimiser() {
        return about.optimiser;
    }

    /** Returns a copy of the optimiser's state, [slots][layout().size()]. */
    public double[][] optimiserState() {
        return IntStream.range(0, about.slots).mapToObj(slot -> arrays.get(STATE + slot).clone())
                .toArray(double[][]::new);
    }

    /** Returns how many updates the optimiser has made. */
    public long updates() {
        return about.updates;
    }

    /** Returns the names of the extra arrays, sorted. */
    public Set<String> arrayNames() {
        return arrays.tailMap(EXTRA).keySet().stream().filter(name -> name.startsWith(EXTRA))
                .map(name -> name.substring(EXTRA.length())).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns a copy of an extra array. */
    public double[] array(String name) {
        return find(arrays.subMap(EXTRA, EXTRA + Character.MAX_VALUE), "array", EXTRA, name).clone();
    }

    /** Returns the names of the extra whole numbers, sorted. */
    public Set<String> numberNames() {
        return Collections.unmodifiableSet(about.numbers.keySet());
    }

    /** Returns an extra whole number. */
    public long number(String name) {
        return find(about.numbers, "number", "", name);
    }

    /** Checks that this checkpoint belongs to a model; throws IllegalArgumentException with the first difference. */
    public void requireLayout(ParameterLayout model) {
        int stored = layout.parameters().size();
        int wanted = model.parameters().size();
        for (int i = 0; i < Math.min(stored, wanted); i++) {
            String ours = layout.parameters().get(i).toString();
            String theirs = model.parameters().get(i).toString();
            Check.that(ours.equals(theirs), "the checkpoint is of another model: its parameter " + i + " is " + ours
                    + ", the model's is " + theirs);
        }
        Check.that(stored == wanted, "the checkpoint is of another model: it has " + stored
                + " parameters, the model has " + wanted);
    }

    private static <T> T find(Map<String, T> map, String what, String prefix, String name) {
        T value = map.get(prefix + name);
        Check.that(value != null, "no " + what + " '" + name + "' among "
                + map.keySet().stream().map(known -> known.substring(prefix.length())).toList());
        return value;
    }

    @Override
    public String toString() {
        String optimised = about.optimiser.isEmpty() ? "no optimiser"
                : about.optimiser + " after " + about.updates + " updates";
        return "Checkpoint(step " + about.step + ", " + layout.size() + " parameters, " + about.precision + ", "
                + optimised + ")";
    }
}
