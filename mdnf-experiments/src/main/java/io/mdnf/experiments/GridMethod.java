package io.mdnf.experiments;

import java.util.Locale;

/** The three methods of the paper's reliability study, all of which fit a product of categorical distributions here. */
enum GridMethod {
    ST_GUMBEL("ST-Gumbel"),
    GUMBEL("Gumbel"),
    MDNF("MDNF factorised");

    private final String title;

    GridMethod(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    double published(PaperCases.Published values) {
        return switch (this) {
            case ST_GUMBEL -> values.straightThrough();
            case GUMBEL -> values.gumbel();
            case MDNF -> values.mdnf();
        };
    }
}
