package io.mdnf.distribution;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import io.mdnf.base.Base;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.checkpoint.StoredFile;
import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.elimination.LogTable;
import io.mdnf.flow.Flow;
import io.mdnf.flow.FlowStack;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.PartialFlow;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.VariablePermutation;
import io.mdnf.flow.VariableWiseStack;
import io.mdnf.graph.Initialiser;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.Bipartite;
import io.mdnf.network.Conditioned;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.Made;
import io.mdnf.network.Nade;
import io.mdnf.network.Narrowed;
import io.mdnf.network.Recurrent;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How distributions stand in files: numbers as arrays; of a {@link FlowMixture} also its description, which is made of
 * records, so that Jackson writes it as they are declared. Each part of a description names its type. First values of
 * parameters are no part of a distribution: a description that was read starts at standard normal ones.
 *
 * <p>A mixture with a part that is not of this library cannot be described so: its file has the values, and some codes
 * with their log-probabilities, by which the description that the reader brings is known to be the one that was saved.
 */
final class DistributionFile {

    private static final Set<Class<?>> PARTS = Set.of(ShiftFlow.class, LocationScaleFlow.class, PartialFlow.class,
            VariableWiseStack.class, VariablePermutation.class, FlowStack.class, DirectLogits.class, Made.class,
            Bipartite.class, Nade.class, Recurrent.class, Given.class, Conditioned.class, Narrowed.class,
            FixedBase.class,
            TrainableBase.class);
    private static final ObjectMapper JSON = mapper();
    /** Codes by which a description is known again, and how far their log-probabilities may differ by rounding. */
    private static final int KNOWN_BY = 16;
    private static final double ROUNDING = 1e-6;

    private DistributionFile() {}

    /** All but the arrays of a distribution. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    private sealed interface About {
        record OfAtoms(CodeSpace space) implements About {}

        record OfProduct(CodeSpace space) implements About {}

        record OfConditionals(CodeSpace space, int[] order, int[][][] scopes, Corrected[] corrected,
                boolean counted) implements About {}

        record OfExpanded(OfConditionals q, CodeMap codes) implements About {}

        record OfFlows(Mixture mixture) implements About {}

        record OfOwnFlows(String mixture) implements About {}
    }

    static void save(CodeDistribution q, Path file) throws StoredFileException {
        SortedMap<String, double[]> arrays = new TreeMap<>();
        About about;
        if (q instanceof Atoms atoms) {
            about = new About.OfAtoms(atoms.space());
            arrays.put("codes", CodeSpace.flat(atoms.codes()));
            arrays.put("weights", atoms.weights());
        } else if (q instanceof Product product) {
            about = new About.OfProduct(product.space());
            arrays.put("q", Arrays.stream(product.q()).flatMapToDouble(Arrays::stream).toArray());
        } else if (q instanceof Conditionals conditionals) {
            about = about(conditionals, arrays);
        } else if (q instanceof Expanded expanded) {
            about = new About.OfExpanded(about(expanded.q(), arrays), expanded.codes());
        } else {
            FlowMixture flows = (FlowMixture) q;
            about = new About.OfFlows(flows.mixture());
            arrays.put("parameters", flows.parameters());
            if (flows.given() != null) {
                arrays.put("given", flows.given());
            }
        }
        JsonNode json;
        try {
            json = JSON.valueToTree(about);
        } catch (IllegalArgumentException own) {
            // a part is not of this library
            int[][] codes = q.sample(KNOWN_BY, Seed.of(0));
            arrays.put("codes", CodeSpace.flat(codes));
            arrays.put("logProb", q.logProb(codes));
            json = JSON.valueToTree(new About.OfOwnFlows(((FlowMixture) q).mixture().toString()));
        }
        StoredFile.write(file, StoredFile.Kind.DISTRIBUTION, json, arrays);
    }

    static CodeDistribution load(Path file, Mixture own) throws StoredFileException {
        return StoredFile.read(file, StoredFile.Kind.DISTRIBUTION, JsonNode.class,
                (json, arrays) -> distribution(JSON.convertValue(json, About.class), arrays, own));
    }

    private static CodeDistribution distribution(About about, SortedMap<String, double[]> arrays, Mixture own) {
        Check.that(own == null || about instanceof About.OfOwnFlows,
                "it describes itself, so it is loaded without a mixture");
        if (about instanceof About.OfOwnFlows flows) {
            Check.that(own != null, flows.mixture, " has a part that is not of this library, so the file has its values"
                    + " alone; load it with the mixture: FlowMixture.load(file, mixture)");
            return owned(own, flows, arrays);
        }
        if (about instanceof About.OfAtoms atoms) {
            double[] weights = array(arrays, "weights", -1);
            double[] flat = array(arrays, "codes", weights.length * atoms.space.variables());
            return new Atoms(atoms.space, atoms.space.unflat(flat), weights);
        }
        if (about instanceof About.OfProduct product) {
            CodeSpace space = product.space;
            double[] flat = array(arrays, "q", IntStream.of(space.cardinalities()).sum());
            return new Product(space.parted(flat));
        }
        if (about instanceof About.OfConditionals conditionals) {
            return conditionals(conditionals, arrays);
        }
        if (about instanceof About.OfExpanded expanded) {
            return new Expanded(conditionals(expanded.q, arrays), expanded.codes);
        }
        return new FlowMixture(((About.OfFlows) about).mixture, array(arrays, "parameters", -1),
                arrays.get("given"));
    }

    /** A correction but for its values. */
    private record Corrected(int place, int[] seen, int hidden) {}

    private static About.OfConditionals about(Conditionals q, SortedMap<String, double[]> arrays) {
        for (int t = 0; t < q.tables().size(); t++) {
            for (int r = 0; r < q.tables().get(t).size(); r++) {
                arrays.put(tableName(t, r), q.tables().get(t).get(r).values());
            }
        }
        q.corrections().forEach((place, correction) -> {
            arrays.put("first " + place, correction.first());
            arrays.put("second " + place, correction.second());
        });
        for (int t = 0; t < q.flows().size(); t++) {
            arrays.put("shifts " + t, q.flows().get(t).shifts());
            arrays.put("weights " + t, q.flows().get(t).weights());
        }
        return new About.OfConditionals(q.space(), q.order(), q.tables().stream()
                .map(place -> place.stream().map(LogTable::variables).toArray(int[][]::new)).toArray(int[][][]::new),
                new TreeMap<>(q.corrections()).entrySet().stream().map(e -> new Corrected(e.getKey(),
                        e.getValue().seen(), e.getValue().hidden())).toArray(Corrected[]::new),
                !q.flows().isEmpty());
    }

    private static String tableName(int place, int table) {
        return "table " + place + "." + table;
    }

    private static Conditionals conditionals(About.OfConditionals about, SortedMap<String, double[]> arrays) {
        List<List<LogTable>> tables = new ArrayList<>();
        for (int t = 0; t < about.scopes.length; t++) {
            tables.add(new ArrayList<>());
            for (int r = 0; r < about.scopes[t].length; r++) {
                int[] scope = about.scopes[t][r];
                tables.get(t).add(new LogTable(scope, IntStream.of(scope).map(about.space::cardinality).toArray(),
                        array(arrays, tableName(t, r), -1)));
            }
        }
        Map<Integer, Correction> corrections = new HashMap<>();
        for (Corrected each : about.corrected) {
            corrections.put(each.place, new Correction(each.seen, each.hidden,
                    about.space.cardinality(about.order[each.place]), array(arrays, "first " + each.place, -1),
                    array(arrays, "second " + each.place, -1)));
        }
        return new Conditionals(about.space, about.order, tables).corrected(corrections).counted(!about.counted
                ? List.of() : IntStream.range(0, about.order.length).mapToObj(t -> new CountedFlows(
                        about.space.cardinality(about.order[t]), array(arrays, "shifts " + t, -1),
                        array(arrays, "weights " + t, -1))).toList());
    }

    private static FlowMixture owned(Mixture own, About.OfOwnFlows flows, SortedMap<String, double[]> arrays) {
        FlowMixture q = new FlowMixture(own, array(arrays, "parameters", -1), arrays.get("given"));
        double[] expected = array(arrays, "logProb", KNOWN_BY);
        double[] found = q.logProb(own.space().unflat(array(arrays, "codes", KNOWN_BY * own.space().variables())));
        boolean same = IntStream.range(0, KNOWN_BY).allMatch(i -> Math.abs(found[i] - expected[i]) <= ROUNDING);
        Check.that(same, own, " gives other probabilities than what was saved, ", flows.mixture);
        return q;
    }

    private static double[] array(SortedMap<String, double[]> arrays, String name, int length) {
        double[] values = arrays.get(name);
        Check.that(values != null && (length < 0 || values.length == length), "array '", name, "' of ", length,
                " values is not among ", arrays.keySet());
        return values;
    }

    /** Types of parts by name. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    private interface Part {}

    private abstract static class SpaceAsCardinalities {
        @JsonValue
        abstract int[] cardinalities();

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static CodeSpace of(int... cardinalities) {
            throw new UnsupportedOperationException("the annotation counts");
        }
    }

    @JsonIgnoreProperties("delta")
    private abstract static class BaseAsProbabilities {
        @JsonCreator
        BaseAsProbabilities(@JsonProperty("kind") String kind, @JsonProperty("codes") CodeSpace codes,
                @JsonProperty("components") int components, @JsonProperty("probabilities") double[] probabilities) {}
    }

    private static ObjectMapper mapper() {
        SimpleModule firstValues = new SimpleModule();
        firstValues.addSerializer(new ToStringSerializerBase(Initialiser.class) {
            @Override
            public String valueToString(Object first) {
                return "not kept";
            }
        });
        firstValues.setSerializerModifier(new BeanSerializerModifier() {
            @Override
            public JsonSerializer<?> modifySerializer(SerializationConfig config, BeanDescription type,
                    JsonSerializer<?> serializer) {
                boolean part = Stream.of(ShiftNetwork.class, Flow.class, Base.class)
                        .anyMatch(kind -> kind.isAssignableFrom(type.getBeanClass()));
                if (part && !PARTS.contains(type.getBeanClass())) {
                    throw new IllegalArgumentException(type.getBeanClass() + " is not of this library");
                }
                return serializer;
            }
        });
        firstValues.addDeserializer(Initialiser.class, new FromStringDeserializer<>(Initialiser.class) {
            @Override
            protected Initialiser _deserialize(String kept, DeserializationContext context) {
                return Initialiser.normal(1);
            }
        });
        ObjectMapper mapper = StoredFile.JSON.copy().registerModule(firstValues)
                .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
                .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
                .setVisibility(PropertyAccessor.CREATOR, Visibility.ANY)
                .addMixIn(ShiftNetwork.class, Part.class).addMixIn(Flow.class, Part.class)
                .addMixIn(Base.class, Part.class)
                .addMixIn(CodeSpace.class, SpaceAsCardinalities.class)
                .addMixIn(FixedBase.class, BaseAsProbabilities.class);
        mapper.registerSubtypes(About.class.getPermittedSubclasses());
        mapper.registerSubtypes(PARTS);
        return mapper;
    }
}
