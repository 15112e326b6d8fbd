package io.mdnf.graph;

import java.util.Arrays;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.linalg.api.buffer.DataType;

/** The one floating point type of a graph: casting inside a graph loses precision, so there is no mixing. */
public enum Precision {
    /** 32 bits: for large networks, where memory bandwidth is the cost. */
    FLOAT(DataType.FLOAT, Float.MIN_NORMAL),
    /** 64 bits: the default, and as fast as 32 bits for small models. */
    DOUBLE(DataType.DOUBLE, 1e-300);

    private final DataType type;
    private final double tiny;

    Precision(DataType type, double tiny) {
        this.type = type;
        this.tiny = tiny;
    }

    DataType type() {
        return type;
    }

    /** Returns the precision of a node of somebody else's model, which holds floats or doubles. */
    public static Precision of(SDVariable variable) {
        return Arrays.stream(values()).filter(precision -> precision.type == variable.dataType()).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("variable " + variable.name() + " holds "
                        + variable.dataType() + ": FLOAT or DOUBLE is needed"));
    }

    /** Returns a normal number so small that adding it to a probability above 1e-15 times larger changes nothing. */
    public double tiny() {
        return tiny;
    }
}
