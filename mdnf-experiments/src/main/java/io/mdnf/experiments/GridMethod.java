package io.mdnf.experiments;


/** The three methods of the paper's reliability study, all of which fit a product of categorical distributions here. */
enum GridMethod implements Named {
    ST_GUMBEL("ST-Gumbel"),
    GUMBEL("Gumbel"),
    MDNF("MDNF factorised");

    private final String title;

    GridMethod(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    double published(PaperCases.Published values) {
        return switch (this) {
            case ST_GUMBEL -> values.straightThrough();
            case GUMBEL -> values.gumbel();
            case MDNF -> values.mdnf();
        };
    }
}
