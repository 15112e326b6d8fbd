package io.mdnf.report;

import io.mdnf.space.Check;

/**
 * One number an experiment stands for, beside the paper's and what cannot be passed. A report shows those of all its
 * sections in one table at its top.
 *
 * @param what is measured: short, with its unit and an arrow to where better is, such as "KL on Sachs (nats, ↓)"
 * @param ours what came out
 * @param paper what was published; {@link #NONE} where nothing was
 * @param limit what no fit of the family can pass; {@link #NONE} where that is not known
 */
public record Finding(String what, String ours, String paper, String limit) {
    /** Stands where there is no number. */
    public static final String NONE = "–";

    /** What the words and signs mean, for below a table of findings. */
    public static final String LEGEND = "↓ lower is better, ↑ higher is better, " + NONE + " there is none. Paper: its"
            + " text and tables, or what its authors' notebooks print.";

    /** Checks that nothing is blank. */
    public Finding {
        check("what", what);
        check("ours", ours);
        check("paper", paper);
        check("limit", limit);
    }

    private static void check(String of, String value) {
        Check.that(value != null && !value.isBlank(), "finding: ", of, " = '", value, "' is blank; '", NONE,
                "' says that there is none");
    }
}
