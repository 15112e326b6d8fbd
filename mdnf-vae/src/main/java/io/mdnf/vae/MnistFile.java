package io.mdnf.vae;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One of the four files of MNIST, as it is after unpacking.
 *
 * @param name its file name
 * @param sha256 the digest of its content, 64 lower-case hexadecimal digits
 * @param length its length in bytes
 */
public record MnistFile(String name, String sha256, int length) {

    /** {@return whether the content is this file's, by its digest} */
    boolean matches(byte[] content) {
        return content.length == length && sha256.equals(digest(content));
    }

    /** What is wrong with a content that does not match, for a message. */
    String mismatch(byte[] content) {
        return content.length == length
                ? "has SHA-256 " + digest(content) + " where " + sha256 + " is right"
                : "has " + content.length + " bytes unpacked where " + length + " are right";
    }

    static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must provide SHA-256", e);
        }
    }
}
