package io.mdnf.vae;

import java.util.OptionalLong;

/**
 * How far a download has come.
 *
 * @param source where from: the mirror's host, or npm
 * @param file what is being fetched
 * @param bytes bytes received so far
 * @param total bytes expected, if known
 */
public record FetchProgress(String source, String file, long bytes, OptionalLong total) {
}
