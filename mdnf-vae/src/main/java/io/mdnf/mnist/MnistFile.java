package io.mdnf.mnist;

import io.mdnf.file.Sha256;

/**
 * One of the four files of MNIST, as it is after unpacking.
 *
 * @param name its file name
 * @param sha256 the digest of its content, 64 lower-case hexadecimal digits
 * @param length its length in bytes
 */
record MnistFile(String name, String sha256, int length) {

    /** {@return whether the content is this file's, by its digest} */
    boolean matches(byte[] content) {
        return content.length == length && sha256.equals(Sha256.hex(content));
    }

    /** What is wrong with a content that does not match, for a message. */
    String mismatch(byte[] content) {
        return content.length == length
                ? "has SHA-256 " + Sha256.hex(content) + " where " + sha256 + " is right"
                : "has " + content.length + " bytes unpacked where " + length + " are right";
    }
}
