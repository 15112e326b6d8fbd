package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.mdnf.file.CsvFile;
import io.mdnf.file.InvalidFileException;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/**
 * Runs over the seed files beside it as an ordinary test; with {@code JAZZER_FUZZ=1} in the environment it looks for
 * new ones.
 */
@Tag("slow")
class CaseTableFuzzTest {

    private static final NamedFactors CANCER = NamedFactors.of(BuiltInNetworks.open("cancer"));

    @FuzzTest(maxDuration = "3m")
    void damagedTablesAreRefusedInOneLineOrHaveACaseOrAnErrorInEachRow(byte[] bytes) {
        try {
            CsvFile file = CsvFile.parse("fuzz.csv", bytes);
            CaseTable table = CaseTable.of(CANCER, file, Set.of());
            assertThat(table.size()).isEqualTo(file.rows().size() - 1);
            table.errors().forEach(error -> assertThat(error).doesNotContain("\n"));
        } catch (InvalidFileException | IllegalArgumentException e) {
            assertThat(e.getMessage()).contains("fuzz.csv").doesNotContain("\n");
        }
    }
}
