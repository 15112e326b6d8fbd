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

    /**
     * Values of a whole model.
     *
     * @param layout how they are laid out
     * @param flat the values
     */
    public ParameterValues(ParameterLayout layout, double[] flat) {
        this(layout, flat, "");
    }

    /**
     * The values as a part sees them.
     *
     * @param name the part's name
     * @return the same values in the part's scope
     */
    public ParameterValues under(String name) {
        return new ParameterValues(layout, flat, scope + name + "/");
    }

    /**
     * One parameter's values.
     *
     * @param name its name in this scope
     * @return a copy, row-major
     */
    public double[] read(String name) {
        return layout.read(scope + name, flat);
    }
}
