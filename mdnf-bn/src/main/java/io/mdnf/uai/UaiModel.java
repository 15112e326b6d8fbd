package io.mdnf.uai;

import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import java.util.Arrays;
import java.util.List;

/**
 * A product of tables over discrete variables, as a UAI file describes it:
 *
 * <pre>{@code p(x) = prod_t table_t(x) / Z }</pre>
 *
 * <p>Of a Bayesian network Z is 1 without evidence, and p(evidence) with it.
 *
 * <pre>{@code
 * UaiModel model = UaiReader.model(Path.of("grid.uai"));
 * FactorTarget target = model.target(UaiEvidence.none(model));
 * }</pre>
 *
 * @param kind how the file calls it; inference makes no difference
 * @param cardinalities numbers of categories, at least one variable
 * @param tables in the file's order
 */
public record UaiModel(Kind kind, int[] cardinalities, List<UaiTable> tables) {

    /** What a model is: any product of tables, or one of conditional probabilities. */
    public enum Kind { MARKOV, BAYES }

    /** Checks that every table fits the variables. */
    public UaiModel {
        CodeSpace space = CodeSpace.of(cardinalities);
        cardinalities = cardinalities.clone();
        tables = List.copyOf(tables);
        for (int t = 0; t < tables.size(); t++) {
            double size = 1;
            for (int v : tables.get(t).variables()) {
                Check.that(v < space.variables(), "tables[", t, "] looks at variable ", v, ": there are ",
                        space.variables());
                size *= space.cardinality(v);
            }
            int values = tables.get(t).values().length;
            Check.that(values == size, "tables[", t, "] has ", values, " values, expected ", size);
        }
    }

    @Override
    public int[] cardinalities() {
        return cardinalities.clone();
    }

    /** {@return the number of variables} */
    public int variables() {
        return cardinalities.length;
    }

    /** Returns the number of categories of a variable. */
    public int cardinality(int variable) {
        return cardinalities[variable];
    }

    /**
     * Returns the log of the product given evidence, over all variables in the file's order: an observed variable keeps
     * one category, the one it was observed in. Without tables every code weighs 1.
     */
    public FactorTarget target(UaiEvidence evidence) {
        int[] kept = cardinalities();
        Arrays.setAll(kept, v -> evidence.isObserved(v) ? 1 : kept[v]);
        return new FactorTarget(CodeSpace.of(kept), tables.isEmpty() ? List.of(new Factor(new int[0], new double[1]))
                : tables.stream().map(t -> t.given(this, evidence)).toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UaiModel model && kind == model.kind
                && Arrays.equals(cardinalities, model.cardinalities) && tables.equals(model.tables);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new Object[] {kind, Arrays.hashCode(cardinalities), tables});
    }

    @Override
    public String toString() {
        return kind + "(" + cardinalities.length + " variables, " + tables.size() + " tables)";
    }
}
