package io.mdnf.experiments;

import java.util.Locale;

/** A case or a method of a {@link Study}. */
interface Named {

    /** Returns a name for people. */
    String title();

    /** Returns a name for files: small letters, digits, hyphens. */
    default String id() {
        return toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
