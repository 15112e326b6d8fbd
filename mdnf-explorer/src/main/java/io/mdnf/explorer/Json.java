package io.mdnf.explorer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/** JSON as browsers read it: null stands for a number that is not finite. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new SimpleModule()
            .addSerializer(double[].class, new StdSerializer<double[]>(double[].class) {
                private static final long serialVersionUID = 1;

                @Override
                public void serialize(double[] values, JsonGenerator to, SerializerProvider by) throws IOException {
                    to.writeStartArray();
                    for (double value : values) {
                        number(value, to);
                    }
                    to.writeEndArray();
                }
            })
            .addSerializer(Double.class, new StdSerializer<Double>(Double.class) {
                private static final long serialVersionUID = 1;

                @Override
                public void serialize(Double value, JsonGenerator to, SerializerProvider by) throws IOException {
                    number(value, to);
                }
            }));

    private Json() {
    }

    private static void number(double value, JsonGenerator to) throws IOException {
        if (Double.isFinite(value)) {
            to.writeNumber(value);
        } else {
            to.writeNull();
        }
    }

    static byte[] bytes(Object value) throws IOException {
        return MAPPER.writeValueAsBytes(value);
    }

    /** As a script may hold it: no markup can begin in it. */
    static String inScript(Object value) throws IOException {
        return MAPPER.writeValueAsString(value).replace("<", "\\u003c").replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    static JsonNode read(byte[] content) throws IOException {
        return MAPPER.readTree(content);
    }
}
