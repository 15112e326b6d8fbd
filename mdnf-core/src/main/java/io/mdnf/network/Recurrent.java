package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A recurrent network over the variables in their order: logits_d = h_d W + c, where the state h_d has read x_1 ..
 * x_{d-1} and h_1 is a trained vector.
 *
 * <p>GRU: r, z = sigmoid(x A + h C + b), h' = z h + (1 - z) tanh(x A_n + r (h C_n) + b_n). LSTM: i, f, o = sigmoid,
 * g = tanh of x A + h C + b, c' = f c + i g, h' = o tanh(c'). The graph grows with D, not with B.
 *
 * <p>Example: {@code new Recurrent(space, 8, Recurrent.Cell.GRU, 16)}.
 *
 * @param state the width of h
 */
public record Recurrent(CodeSpace space, int components, Cell cell, int state) implements ShiftNetwork {

    /** The kind of cell. */
    public enum Cell {
        /** Gated recurrent unit. */
        GRU(3),
        /** Long short-term memory. */
        LSTM(4);

        private final int gates;

        Cell(int gates) {
            this.gates = gates;
        }
    }

    /** Checks the width. */
    public Recurrent {
        Check.that(state >= 1, "state = ", state, ": a recurrent network needs at least 1 unit");
    }

    @Override
    public List<Parameter> parameters() {
        int sums = cell.gates * state;
        Parameter first = new Parameter("first", Initialiser.normal(1), components, state);
        Parameter output = new Parameter("output", Initialiser.glorot(), components, state, space.width());
        Parameter outputBias = new Parameter("outputBias", Initialiser.normal(1), components, space.width());
        return space.variables() == 1 ? List.of(first, output, outputBias) : List.of(first,
                new Parameter("input", Initialiser.glorot(), components, space.width(), sums),
                new Parameter("recurrent", Initialiser.glorot(), components, state, sums),
                new Parameter("bias", Initialiser.constant(0), components, sums), output, outputBias);
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Tensor rows = inputs.rows(components);
        long n = rows.extent(1);
        int variables = space.variables();
        Map<String, Tensor> weights =
                parameters().stream().collect(Collectors.toMap(Parameter::name, graph::parameter));
        Tensor h = weights.get("first").repeatAt(1, n);
        Tensor memory = h;
        Tensor[] steps = new Tensor[variables];
        for (int d = 0; d < variables; d++) {
            if (d > 0) {
                Tensor x = rows.slice(2, (d - 1) * space.width(), space.width());
                Tensor read = Affine.apply(x, weights.get("input"), weights.get("bias"));
                Tensor remembered = h.matmul(weights.get("recurrent"));
                if (cell == Cell.GRU) {
                    h = gru(read, remembered, h);
                } else {
                    Tensor sums = read.plus(remembered);
                    memory = gate(sums, 1).sigmoid().times(memory)
                            .plus(gate(sums, 0).sigmoid().times(gate(sums, 3).tanh()));
                    h = gate(sums, 2).sigmoid().times(memory.tanh());
                }
            }
            steps[d] = Affine.apply(h, weights.get("output"), weights.get("outputBias"))
                    .reshape(components, n, 1, space.width());
        }
        return Tensor.concat(2, steps);
    }

    private Tensor gru(Tensor read, Tensor remembered, Tensor h) {
        Tensor reset = gate(read, 0).plus(gate(remembered, 0)).sigmoid();
        Tensor keep = gate(read, 1).plus(gate(remembered, 1)).sigmoid();
        Tensor candidate = gate(read, 2).plus(reset.times(gate(remembered, 2))).tanh();
        return keep.times(h).plus(candidate).minus(keep.times(candidate));
    }

    private Tensor gate(Tensor sums, int number) {
        return sums.slice(2, number * state, state);
    }

    @Override
    public Dependence dependence() {
        return Dependence.AUTOREGRESSIVE;
    }

    @Override
    public String toString() {
        return "Recurrent[" + cell + ", state=" + state + ", " + parameterCount() + " parameters]";
    }
}
