package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.file.CsvFile;
import io.mdnf.random.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableSchemaTest {

    private static CsvFile file(String text) throws Exception {
        return CsvFile.parse("t.csv", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void kindsAreGuessedByTheCells() throws Exception {
        TableSchema schema = TableSchema.guess(People.file(People.rows(500, Seed.of(1)), 0.1, Seed.of(2)), Map.of(),
                Set.of("sex"));
        assertThat(schema.columns().stream().map(c -> c.name() + " " + c.kind())).containsExactly("age gaussian",
                "education categorical", "occupation categorical", "married bernoulli", "relationship categorical",
                "children poisson", "hours gaussian", "income categorical");
        assertThat(schema.columns().get(6).decimals()).isEqualTo(1);
    }

    @Test
    void aKindThatIsGivenHolds() throws Exception {
        CsvFile file = file("n,b\n10,0\n9,1\n2,1\n10,?\n");
        TableSchema schema = TableSchema.guess(file, Map.of("n", ColumnKind.CATEGORICAL, "b", ColumnKind.GAUSSIAN),
                Set.of());
        // numbers as levels stand in the order of numbers
        assertThat(schema.columns().get(0).levels()).containsExactly("2", "9", "10");
        assertThat(schema.cells(file)).isEqualTo(new double[][] {{2, 0}, {1, 1}, {0, 1}, {2, Double.NaN}});
    }

    /** 57 times 0.01, divided by 57, is more than 0.01: a scale of 1e-18 came of it, and an ELBO of 39 nats. */
    @Test
    void aColumnOfOneNumberHasAScaleOfOne() throws Exception {
        for (int rows = 2; rows < 130; rows++) {
            TableSchema schema = TableSchema.guess(file("n,k\n" + "0.01,3\n".repeat(rows)),
                    Map.of("k", ColumnKind.POISSON), Set.of());
            assertThat(schema.columns()).as("%d rows", rows).allMatch(c -> c.scale() == 1);
            assertThat(schema.columns().get(0).centre()).isEqualTo(0.01);
        }
    }

    @Test
    void aSchemaIsReadBackFromItsMap() throws Exception {
        TableSchema schema = TableSchema.guess(
                file("word,n\n\"a, \"\"b\"\"\",1.25\nc,-3\n7,1e1\n"), Map.of(), Set.of());
        assertThat(TableSchema.of(schema.toMap())).isEqualTo(schema);
        assertThat(schema.columns().get(0).levels()).containsExactly("7", "a, \"b\"", "c");
    }

    @Test
    void columnsAreFoundByNameAndWrittenAsTheyWere() throws Exception {
        CsvFile file = file("id,word,n\n1,x,0.50\n2,y,\n3,x,2.25\n");
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of("id"));
        double[][] cells = schema.cells(file("n,more,word\n0.5,?,y\n"));
        assertThat(cells).isEqualTo(new double[][] {{1, 0.5}});
        assertThat(schema.columns().get(0).text(cells[0][0])).isEqualTo("y");
        assertThat(schema.columns().get(1).text(cells[0][1])).isEqualTo("0.50");
        assertThat(schema.columns().get(1).text(Double.NaN)).isEmpty();
    }

    @Test
    void whatDoesNotFitIsOneLineWithItsPlace() throws Exception {
        TableSchema schema = TableSchema.guess(file("word,n,k\nx,0.5,1\ny,1.5,0\nx,3,0\n"), Map.of(), Set.of());
        assertThatThrownBy(() -> schema.cells(file("word,n,k\nx,1,1\nz,1,1\n"))).hasMessage("t.csv: row 3, column 1 "
                + "(word): 'z' is a level that was not there in training; known are x, y");
        assertThatThrownBy(() -> schema.cells(file("word,n,k\nx,one,1\n")))
                .hasMessageContaining("row 2, column 2 (n): 'one' is no number, as a gaussian column needs it");
        assertThatThrownBy(() -> schema.cells(file("word,n,k\nx,1,2\n")))
                .hasMessageContaining("row 2, column 3 (k): 2.0 does not fit a bernoulli column: 0 or 1");
        assertThatThrownBy(() -> schema.cells(file("word,k\nx,2\n"))).hasMessageContaining("there is no column n");
        assertThatThrownBy(() -> schema.cells(file("word,n,k\nx,2\n"))).hasMessageContaining("row 2 has 2 cells");
        assertThatThrownBy(() -> TableSchema.guess(file("a,b\n1,\n2,NA\n"), Map.of(), Set.of()))
                .hasMessageContaining("column b has no value in any row; leave it out: b:ignore");
        assertThatThrownBy(() -> TableSchema.guess(file("a,a\n1,2\n"), Map.of(), Set.of()))
                .hasMessageContaining("two columns are called a");
        assertThatThrownBy(() -> TableSchema.guess(file("a\n1\n"), Map.of("b", ColumnKind.POISSON), Set.of()))
                .hasMessageContaining("there is no column b; there are a");
        assertThatThrownBy(() -> TableRows.of(schema, new double[][] {{0, 1, 1}, {2, 1, 1}}))
                .hasMessageContaining("row 2, column 1 (word): 2.0 does not fit").hasMessageContaining("2 levels");
        assertThat(List.of("", " ", "?", "NA", "n/a", "NaN")).allMatch(Column::isMissing);
    }
}
