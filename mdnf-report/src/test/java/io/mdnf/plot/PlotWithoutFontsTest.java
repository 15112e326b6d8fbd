package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A slim container often has no fonts; fontconfig, which only Linux uses, can be told of none. */
@EnabledOnOs(OS.LINUX)
class PlotWithoutFontsTest {
    @TempDir
    private Path folder;

    /** Runs in a child process: writes two plots, since Java fails differently the second time. */
    public static void main(String[] args) throws IOException {
        for (String name : List.of("bars", "boxes")) {
            Gallery.plots().get(name).write(Path.of(args[0]), name);
        }
    }

    @Test
    @Tag("slow")
    void svgIsWrittenAndTheMissingPngIsSaid() throws Exception {
        Path none = Files.writeString(folder.resolve("fonts.conf"),
                "<?xml version=\"1.0\"?><fontconfig></fontconfig>");
        ProcessBuilder child = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // The cache of fonts that Java keeps at home would be used otherwise.
                "-Duser.home=" + folder.resolve("home"),
                "-cp", System.getProperty("java.class.path"),
                PlotWithoutFontsTest.class.getName(), folder.resolve("plots").toString());
        child.environment().put("FONTCONFIG_FILE", none.toString());
        Path said = folder.resolve("said");
        int exit = child.redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
        assertThat(exit).as(Files.readString(said)).isZero();
        assertThat(Files.readString(said)).contains("bars.png is not written: there are no fonts", "boxes.png");
        assertThat(folder.resolve("plots/bars.svg")).isNotEmptyFile();
        assertThat(folder.resolve("plots/boxes.svg")).isNotEmptyFile();
        assertThat(folder.resolve("plots/bars.png")).doesNotExist();
    }
}
