package io.mdnf.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where downloads are kept: {@code $XDG_CACHE_HOME/mdnf}, or {@code ~/.cache/mdnf}. */
final class CacheDirectory {
    private CacheDirectory() { }

    /** The directory for an XDG_CACHE_HOME, which the standard says to ignore unless absolute. */
    static Path of(String xdgCacheHome, Path home) {
        boolean given = xdgCacheHome != null && Path.of(xdgCacheHome).isAbsolute();
        return (given ? Path.of(xdgCacheHome) : home.resolve(".cache")).resolve("mdnf");
    }

    static Path ofThisUser() {
        return of(System.getenv("XDG_CACHE_HOME"), Path.of(System.getProperty("user.home")));
    }

    /** Whether files can be written there, now or once it has been made; changes nothing. */
    static boolean usable(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (existing != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && Files.isDirectory(existing) && Files.isWritable(existing);
    }
}
