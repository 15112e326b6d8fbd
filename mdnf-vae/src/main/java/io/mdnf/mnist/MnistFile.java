package io.mdnf.mnist;

import io.mdnf.file.InvalidFileException;
import io.mdnf.file.Sha256;

/**
 * One of the four files of MNIST, as it is after unpacking.
 *
 * @param sha256 the digest of its content, 64 lower-case hexadecimal digits
 */
record MnistFile(String name, String sha256, int length) {

    /** Returns the content of a plain or gzip file, unpacked, if by its digest it is this file's. */
    byte[] verified(byte[] packed, String place) throws InvalidFileException {
        byte[] content = IdxReader.unzipped(packed, place, length + 1);
        if (content.length != length) {
            throw new InvalidFileException(place, "has " + content.length + " bytes unpacked where " + length
                    + " are right");
        }
        String found = Sha256.hex(content);
        if (!found.equals(sha256)) {
            throw new InvalidFileException(place, "has SHA-256 " + found + " where " + sha256 + " is right");
        }
        return content;
    }
}
