package io.mdnf.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The name of a file that a command writes, refused before any work where no file can stand: in place of a folder, or
 * below something that is none. Missing folders are made when it is written.
 */
final class FileToWrite implements ITypeConverter<Path> {

    @Override
    public Path convert(String name) {
        Path file = Path.of(name);
        if (Files.isDirectory(file)) {
            throw new TypeConversionException(name + " is a folder; name a file");
        }
        Path above = file.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        if (above == null || !Files.isDirectory(above)) {
            throw new TypeConversionException(name + " cannot be made: " + above + " is no folder");
        }
        return file;
    }
}
