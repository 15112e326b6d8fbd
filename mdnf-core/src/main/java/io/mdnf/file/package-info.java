/**
 * Files: written whole or not at all, read plain or gzip, tables of comma-separated values, hashes.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
package io.mdnf.file;
