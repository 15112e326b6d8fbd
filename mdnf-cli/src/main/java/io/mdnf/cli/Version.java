package io.mdnf.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of MDNF, which both builds write into {@code version.properties}. */
final class Version implements IVersionProvider {

    /** Such as {@code 0.1.0}; {@code development} when an IDE copied the resource without filling it in. */
    static String current() {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is missing beside " + Version.class.getName());
            }
            Properties properties = new Properties();
            properties.load(in);
            String version = properties.getProperty("version", "${");
            return version.startsWith("${") ? "development" : version;
        } catch (IOException e) {
            throw new UncheckedIOException("version.properties cannot be read", e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"mdnf " + current()};
    }
}
