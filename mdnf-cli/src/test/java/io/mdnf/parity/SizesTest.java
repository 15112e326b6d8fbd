package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What a reader has to hold in the head at once has a limit: a line, a method, a class. */
class SizesTest {

    private static final int COLUMNS = 120;
    private static final int LINES_OF_A_METHOD = 60;
    private static final int LINES_OF_A_CLASS = 450;

    @Test
    void linesHaveAtMost120Columns() throws IOException {
        Set<String> tooLong = new TreeSet<>();
        for (Path file : SourceTree.java("src")) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).length() > COLUMNS) {
                    tooLong.add(file.getFileName() + ":" + (i + 1));
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void classesHaveAtMost450Lines() throws IOException {
        Set<String> tooLong = new TreeSet<>();
        for (Path file : SourceTree.java("src/main")) {
            int lines = Files.readAllLines(file).size();
            if (lines > LINES_OF_A_CLASS) {
                tooLong.add(file.getFileName() + ": " + lines);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void methodsHaveAtMost60Lines() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Set<String> tooLong = new TreeSet<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
                    files.getJavaFileObjectsFromPaths(SourceTree.java("src/main")));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                LineMap lines = unit.getLineMap();
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitMethod(MethodTree method, Void nothing) {
                        long length = lines.getLineNumber(positions.getEndPosition(unit, method))
                                - lines.getLineNumber(positions.getStartPosition(unit, method)) + 1;
                        if (length > LINES_OF_A_METHOD) {
                            tooLong.add(Path.of(unit.getSourceFile().getName()).getFileName() + "." + method.getName()
                                    + ": " + length);
                        }
                        return super.visitMethod(method, nothing);
                    }
                }.scan(unit, null);
            }
        }
        assertThat(tooLong).isEmpty();
    }
}
