package io.mdnf.experiments;

/**
 * A case or a method that is no more than a value with names.
 *
 * @param id for files
 * @param title for people
 * @param <T> of the value
 */
record Item<T>(String id, String title, T value) implements Named { }
