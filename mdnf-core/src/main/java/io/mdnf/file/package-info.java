/** Files: written whole or not at all, read plain or gzip, tables of comma-separated values, hashes. */
package io.mdnf.file;
