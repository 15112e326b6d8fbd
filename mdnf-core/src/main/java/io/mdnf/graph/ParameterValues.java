package io.mdnf.graph;

/**
 * Values of a model's parameters as one part of the model sees them: by its own local names.
 *
 * <p>Example: {@code values.under("base").read("logits")}.
 *
 * @param layout of the whole model
 * @param flat the whole model's values, not copied
 * @param scope the part's place, "" for the whole, else ending in "/"
 */
public record ParameterValues(ParameterLayout layout, double[] flat, String scope) {

    /** Values of a whole model. */
    public ParameterValues(ParameterLayout layout, double[] flat) {
        this(layout, flat, "");
    }

    /** Returns the same values in the scope of a part. */
    public ParameterValues under(String name) {
        return new ParameterValues(layout, flat, scope + name + "/");
    }

    /** Returns a copy of one parameter's values, row-major, by its name in this scope. */
    public double[] read(String name) {
        return layout.read(scope + name, flat);
    }

    /** Returns where one parameter's values start in the flat vector. */
    public int offset(String name) {
        return layout.offset(scope + name);
    }
}
