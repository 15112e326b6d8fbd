package io.mdnf.distribution;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import io.mdnf.base.Base;
import io.mdnf.base.FixedBase;
import io.mdnf.checkpoint.StoredFile;
import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.flow.Flow;
import io.mdnf.graph.Initialiser;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How distributions stand in files: numbers as arrays; of a {@link FlowMixture} also its description, which is made of
 * records, so that Jackson writes it as they are declared. Each part of a description names its type. First values of
 * parameters are no part of a distribution: a description that was read starts at standard normal ones.
 */
final class DistributionFile {

    private static final ObjectMapper JSON = mapper();

    private DistributionFile() {}

    /** All but the arrays of atoms, products and flow mixtures. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    private sealed interface About {
        record OfAtoms(CodeSpace space) implements About {}

        record OfProduct(CodeSpace space) implements About {}

        record OfFlows(Mixture mixture) implements About {}
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
        } else {
            FlowMixture flows = (FlowMixture) q;
            about = new About.OfFlows(flows.mixture());
            arrays.put("parameters", flows.parameters());
            if (flows.given() != null) {
                arrays.put("given", flows.given());
            }
        }
        StoredFile.write(file, StoredFile.Kind.DISTRIBUTION, JSON.<JsonNode>valueToTree(about), arrays);
    }

    static CodeDistribution load(Path file) throws StoredFileException {
        return StoredFile.read(file, StoredFile.Kind.DISTRIBUTION, JsonNode.class,
                (json, arrays) -> distribution(JSON.convertValue(json, About.class), arrays));
    }

    private static CodeDistribution distribution(About about, SortedMap<String, double[]> arrays) {
        if (about instanceof About.OfAtoms atoms) {
            double[] weights = array(arrays, "weights", -1);
            double[] flat = array(arrays, "codes", weights.length * atoms.space.variables());
            return new Atoms(atoms.space, atoms.space.unflat(flat), weights);
        }
        if (about instanceof About.OfProduct product) {
            CodeSpace space = product.space;
            double[] flat = array(arrays, "q", IntStream.of(space.cardinalities()).sum());
            double[][] q = new double[space.variables()][];
            int from = 0;
            for (int d = 0; d < q.length; d++) {
                q[d] = Arrays.copyOfRange(flat, from, from + space.cardinality(d));
                from += q[d].length;
            }
            return new Product(q);
        }
        return new FlowMixture(((About.OfFlows) about).mixture, array(arrays, "parameters", -1),
                arrays.get("given"));
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
        Stream.of(ShiftNetwork.class, Flow.class, Base.class, About.class).forEach(kind -> register(mapper, kind));
        return mapper;
    }

    private static void register(ObjectMapper mapper, Class<?> kind) {
        if (kind.isSealed()) {
            Arrays.stream(kind.getPermittedSubclasses()).forEach(permitted -> register(mapper, permitted));
        } else {
            mapper.registerSubtypes(kind);
        }
    }
}
