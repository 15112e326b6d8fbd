package io.mdnf.experiments;

/** A case or a method that is no more than a value with names. */
record Item<T>(String id, String title, T value) implements Named { }
