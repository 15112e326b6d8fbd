package io.mdnf.bn;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A non-negative function of a few discrete variables, held as logarithms, [K_1, ..., K_n] row-major with the last
 * variable fastest. Zero is negative infinity.
 *
 * <p>Logarithms rather than scaled numbers: messages that disagree strongly would underflow in a product even after
 * scaling, and the same table serves sums and maxima.
 *
 * @param variables positions of the nodes
 * @param cardinalities their numbers of states
 * @param values the logarithms; changed in place
 */
record LogFactor(int[] variables, int[] cardinalities, double[] values) {

    /** The constant 1 over a scope. */
    static LogFactor one(int[] variables, int[] cardinalities) {
        int size = Arrays.stream(cardinalities).reduce(1, Math::multiplyExact);
        return new LogFactor(variables.clone(), cardinalities.clone(), new double[size]);
    }

    /** p(node i | parents) with the evidence put in: a function of the latent variables of the family. */
    static LogFactor conditional(Evidence evidence, int i) {
        BayesianNetwork network = evidence.network();
        int[] latent = evidence.latentFamily(i);
        LogFactor factor = one(latent, Arrays.stream(latent).map(network::cardinality).toArray());
        int[] states = evidence.complete(new int[evidence.latents().length]);
        for (int entry = 0; entry < factor.values.length; entry++) {
            factor.write(entry, states);
            factor.values[entry] = Math.log(network.node(i).probability(network.row(i, states), states[i]));
        }
        return factor;
    }

    /** Writes the states of one entry into a configuration of all variables. */
    private void write(int entry, int[] states) {
        int left = entry;
        for (int v = variables.length - 1; v >= 0; v--) {
            states[variables[v]] = left % cardinalities[v];
            left /= cardinalities[v];
        }
    }

    /** The value at a configuration of all variables. */
    double at(int[] states) {
        int entry = 0;
        for (int v = 0; v < variables.length; v++) {
            entry = entry * cardinalities[v] + states[variables[v]];
        }
        return values[entry];
    }

    /** this *= other, whose variables must be among ours. */
    void multiply(LogFactor other) {
        int[] project = projection(other.variables);
        for (int entry = 0; entry < values.length; entry++) {
            values[entry] += other.values[project[entry]];
        }
    }

    /** this /= other, where 0 / 0 = 0; whatever other forbids, we must forbid too. */
    void divide(LogFactor other) {
        for (int entry = 0; entry < values.length; entry++) {
            if (other.values[entry] != Double.NEGATIVE_INFINITY) {
                values[entry] -= other.values[entry];
            }
        }
    }

    /** Sum over every variable not kept. */
    LogFactor sumOnto(int[] kept) {
        LogFactor maximum = maximumOnto(kept);
        int[] project = projection(maximum.variables);
        double[] sums = new double[maximum.values.length];
        for (int entry = 0; entry < values.length; entry++) {
            double largest = maximum.values[project[entry]];
            if (largest != Double.NEGATIVE_INFINITY) {
                sums[project[entry]] += Math.exp(values[entry] - largest);
            }
        }
        for (int entry = 0; entry < sums.length; entry++) {
            if (maximum.values[entry] != Double.NEGATIVE_INFINITY) {
                maximum.values[entry] += Math.log(sums[entry]);
            }
        }
        return maximum;
    }

    /** Maximum over every variable not kept. */
    LogFactor maximumOnto(int[] kept) {
        LogFactor maximum = one(kept, Arrays.stream(kept).map(v -> cardinalities[position(v)]).toArray());
        Arrays.fill(maximum.values, Double.NEGATIVE_INFINITY);
        int[] project = projection(kept);
        for (int entry = 0; entry < values.length; entry++) {
            maximum.values[project[entry]] = Math.max(maximum.values[project[entry]], values[entry]);
        }
        return maximum;
    }

    private int position(int variable) {
        return IntStream.range(0, variables.length).filter(v -> variables[v] == variable).findFirst().orElseThrow();
    }

    /** For each of our entries, the entry it falls on in a factor over a subset of our variables. */
    private int[] projection(int[] subset) {
        int[] strides = new int[variables.length];
        int stride = 1;
        for (int s = subset.length - 1; s >= 0; s--) {
            int v = position(subset[s]);
            strides[v] = stride;
            stride *= cardinalities[v];
        }
        int[] projection = new int[values.length];
        int[] states = new int[variables.length];
        int target = 0;
        for (int entry = 0; entry < projection.length; entry++) {
            projection[entry] = target;
            for (int v = variables.length - 1; v >= 0; v--) {
                target += strides[v];
                if (++states[v] < cardinalities[v]) {
                    break;
                }
                target -= strides[v] * cardinalities[v];
                states[v] = 0;
            }
        }
        return projection;
    }
}
