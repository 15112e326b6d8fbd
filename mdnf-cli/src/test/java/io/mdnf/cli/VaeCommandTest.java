package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.mnist.Mnist;
import io.mdnf.vae.DigitImages;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VaeCommandTest {

    private static final int SIZE = 8;

    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @BeforeEach
    void makeImages() throws IOException {
        OwnImages.write(folder, SIZE);
    }

    private int train(String run, String... more) {
        List<String> args = new ArrayList<>(List.of("vae", "train", "--latents", "3", "--categories", "4",
                "--components", "5", "--batch", "32", "--data", folder.toString(), "--own-images", "--quiet", "--out",
                folder.resolve(run).toString()));
        args.addAll(List.of(more));
        return run(args.toArray(String[]::new));
    }

    private double[] parameters(String run) throws IOException {
        return CheckpointFolder.look(folder.resolve(run).resolve("checkpoints")).latest().orElseThrow().checkpoint()
                .parameters();
    }

    @Test
    @Tag("slow")
    void aTrainedModelEvaluatesSamplesReconstructsAndEncodes() throws IOException {
        assertThat(train("run", "--epochs", "2", "--json")).as(err.toString()).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("epochs").intValue()).isEqualTo(2);
        assertThat(answer.get("algorithm").textValue()).isEqualTo("mdnf");
        assertThat(answer.get("latents").isInt()).isTrue();
        // 100 images in batches of 32
        assertThat(answer.get("steps").intValue()).isEqualTo(8);
        assertThat(answer.get("train").get("images").intValue()).isEqualTo(100);
        Path run = folder.resolve("run");
        assertThat(run.resolve("metrics.csv")).content().hasLineCount(3).startsWith("epoch,step,temperature,objective");
        assertThat(run.resolve("report.html")).content().contains("<svg", "data:image/png", "How it was made");

        assertThat(run("vae", "evaluate", run.toString(), "--data", folder.toString(), "--own-images", "--importance",
                "50", "--samples", "50", "--json")).as(err.toString()).isZero();
        answer = new ObjectMapper().readTree(out.toString());
        double elbo = answer.get("elbo").doubleValue();
        double weighted = answer.get("importanceWeighted").doubleValue();
        double truth = answer.get("logLikelihood").doubleValue();
        // means over 40 images of 50 codes each; 0.5 nats is far beyond their sampling error
        assertThat(elbo).isLessThan(weighted + 0.5);
        assertThat(weighted).isLessThan(truth + 0.5);

        assertThat(run("vae", "sample", run.toString(), "-n", "12")).as(err.toString()).isZero();
        // ten columns, two rows, twice enlarged, two pixels apart
        assertThat(ImageIO.read(run.resolve("samples.png").toFile()).getWidth()).isEqualTo(2 + 10 * (2 * SIZE + 2));
        assertThat(run("vae", "reconstruct", run.toString(), "-n", "12", "--data", folder.toString(), "--own-images"))
                .as(err.toString()).isZero();
        assertThat(ImageIO.read(run.resolve("reconstructions.png").toFile()).getHeight())
                .isEqualTo(2 + 4 * (2 * SIZE + 2));
        Path codes = folder.resolve("codes.csv");
        assertThat(run("vae", "codes", run.toString(), "--data", folder.toString(), "--own-images", "--out",
                codes.toString())).as(err.toString()).isZero();
        assertThat(codes).content().hasLineCount(41).startsWith("image,label,z1,z2,z3\n0,");
    }

    @Test
    @Tag("slow")
    void imagesThatTheRunDidNotLearnFromAreNotTakenForThose() throws IOException {
        assertThat(train("run", "--epochs", "1", "--limit", "60")).as(err.toString()).isZero();
        Path run = folder.resolve("run");
        DigitImages learned = Mnist.taken(folder).train().images();
        VaeModel.refuseOthers(run, learned);
        for (DigitImages other : List.of(learned.last(60), learned.first(59))) {
            assertThatThrownBy(() -> VaeModel.refuseOthers(run, other)).isInstanceOf(UsageProblem.class)
                    .hasMessageContaining("learned from other images");
        }
    }

    @Test
    @Tag("slow")
    void imagesNeedNotBeSquareForConvolutions() throws IOException {
        OwnImages.write(folder, 6, 9);
        assertThat(train("run", "--epochs", "1", "--network", "convolutional", "--json")).as(err.toString()).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).get("channels").toString()).isEqualTo("[16,32]");
        Path run = folder.resolve("run");
        assertThat(run("vae", "reconstruct", run.toString(), "-n", "12", "--data", folder.toString(), "--own-images"))
                .as(err.toString()).isZero();
        assertThat(ImageIO.read(run.resolve("reconstructions.png").toFile()).getHeight())
                .isEqualTo(2 + 4 * (2 * 6 + 2));
        OwnImages.write(folder, 9, 6);
        assertThat(run("vae", "evaluate", run.toString(), "--data", folder.toString(), "--own-images")).isEqualTo(2);
        assertThat(err.toString()).contains("the model knows images of 6 x 9").hasLineCount(1);
    }

    @Test
    @Tag("slow")
    void moreEpochsGoOnWhereTheRunEnded() throws IOException {
        // a rate that falls over all epochs would have fallen by the end of the first
        assertThat(train("whole", "--constant-rate", "--epochs", "3")).as(err.toString()).isZero();
        assertThat(train("parts", "--constant-rate", "--epochs", "1")).as(err.toString()).isZero();
        assertThat(train("parts", "--constant-rate", "--epochs", "3", "--resume")).as(err.toString()).isZero();
        assertThat(parameters("parts")).isEqualTo(parameters("whole"));
        assertThat(folder.resolve("parts").resolve("metrics.csv")).content().hasLineCount(4);
    }

    @Test
    @Tag("slow")
    void aRunIsNeitherOverwrittenNorMixedWithAnother() throws IOException {
        assertThat(train("run", "--epochs", "1")).isZero();
        assertThat(train("run", "--epochs", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("there is a run already").hasLineCount(1);
        assertThat(train("run", "--epochs", "1", "--resume", "--prior", "uniform")).isEqualTo(2);
        assertThat(err.toString()).contains("is another: prior was autoregressive, is uniform").hasLineCount(1);
    }

    @Test
    @Tag("slow")
    void heldOutImagesAreTestedOnAndNotLearned() throws IOException {
        assertThat(train("run", "--epochs", "1", "--held-out", "0.2", "--optimiser", "radam", "--json"))
                .as(err.toString()).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("train").get("images").intValue()).isEqualTo(80);
        assertThat(answer.get("test").get("images").intValue()).isEqualTo(20);
        assertThat(answer.get("optimiser").textValue()).isEqualTo("radam");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "vae train --out x --latents 0 | latents = 0: at least 1",
        "vae train --out x --algorithm gumbl | gumbl",
        "vae train --out x --algorithm summed --latents 20 | at most 4096",
        "vae train --out x --straight-through | a choice of Gumbel algorithms only",
        "vae train --out x --epochs 0 | --epochs 0",
        "vae train --out x --held-out 1 | --held-out 1.0: a share between 0 and 1",
        "vae train --out x --components 0x | neither a number of at least 1 nor unlimited",
        "vae train --out x --components -3 | neither a number of at least 1 nor unlimited",
        "vae train --out x --components 0 | neither a number of at least 1 nor unlimited",
        "vae train --out x --head paper | only counted flows",
        "vae train --out x --posterior exact | at most 4096",
        "vae train --out x --posterior exact --latents 3 --categories 2 --estimator averaged | only mdnf's products",
        "vae train --out x --algorithm reinforce --temperature 2 | no drawn code carries a gradient",
        "vae train --out x --algorithm gumbel --posterior autoregressive | for a product",
        "vae train --out x --algorithm vq --temperature 2 | no drawn code carries a gradient",
        "vae train --out x --algorithm fsq --warm-up 2 | costs the same everywhere",
        "vae train --out x --algorithm wake-sleep --warm-up 2 | have no divergence to weigh",
        "vae train --out x --posterior exact --latents 3 --categories 2 --warm-up 0 | have no divergence to weigh",
        "vae train --out x --algorithm vq --posterior autoregressive | for a product",
        "vae train --out x --algorithm disarm | categories = 10: 2 for disarm",
        "vae train --out x --algorithm gapped --estimator averaged | only mdnf's products",
        "vae train --out x --algorithm rao-gumbel --samples 3 | several are compared by",
        "vae train --out x --samples 3 | several are compared by",
        "vae sample x --temperature 0 | --temperature 0.0: above 0",
        "vae train --out x --csv y.csv --network convolutional | a table has no neighbours",
        "vae train --out x --csv y.csv --algorithm reinforce --moved | a row of a table has no pixels to move",
        "vae train --out x --own-images | name their folder with --data",
        "vae evaluate nowhere | nowhere: there is no run",
        "vae sample nowhere -n 0 | --count 0"})
    void wrongInputIsOneLineAndExitsTwo(String commandLine, String says) {
        assertThat(run(commandLine.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(says).hasLineCount(1);
    }
}
