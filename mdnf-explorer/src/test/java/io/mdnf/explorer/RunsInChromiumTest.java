package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** The pages of a run and of an autoencoder in a real browser. */
class RunsInChromiumTest extends InChromium {

    @Test
    void aRunsCurveGrowsWhileItGoes(@TempDir Path folder) throws IOException {
        new RunManifest("mdnf bn fit", Map.of("network", "asia"), 1, List.of(), Map.of(), "cpu",
                java.time.Instant.EPOCH, Optional.empty(), RunManifest.Status.RUNNING, "").write(folder);
        Files.writeString(folder.resolve("truth.json"), "{\"logEvidence\": -2.5}");
        Path metrics = folder.resolve("metrics-joint.csv");
        Files.writeString(metrics, "step,temperature,elbo\n1,1.0,-9.0\n2,0.9,-5.0\n");
        show(new RunPage(folder));
        until("two points", () -> points().equals("2"));
        assertThat((String) run("return document.querySelector('figcaption').textContent"))
                .contains("elbo", "exact −2.5");
        Files.writeString(metrics, "step,temperature,elbo\n1,1.0,-9.0\n2,0.9,-5.0\n3,0.8,-3.0\n");
        until("three", () -> points().equals("3"));
        assertThat(status()).contains("running");
        Files.writeString(folder.resolve("metrics-bounds.csv"), "seconds,lower,upper,estimate,accepted\n"
                + "0.5,-9.0,4.0,-3.0,\n1.0,-4.0,1.5,-2.6,0.25\n1.5,-3.0,1.25,-2.6,0.75\n");
        until("both bounds and the chains", () -> ((String) run("return document.body.innerText")).matches(
                "(?s).*Bounds over seconds. lower −3.0000 upper 1.2500 .*exact −2.5000.*accepted 0.7500.*"));
        Files.writeString(folder.resolve("result.json"), "{\"kl\": 0.25, \"algorithm\": \"<b>any</b>\", "
                + "\"marginals\": {\"tub\": {\"yes\": 1}}}");
        until("what it found", () -> ((String) run("return document.body.innerText")).matches(
                "(?s).*algorithm\\s+<b>any</b>.*tub\\s+yes.*"));
        assertThat((String) run("return document.body.innerText")).containsPattern("kl\\s+0.25");
    }

    @Test
    void whatIsLookedAtStaysWhileARunGoesAndAServerThatIsGoneIsSaidOnce(@TempDir Path folder) throws IOException {
        new RunManifest("mdnf bn fit", Map.of("network", "asia"), 1, List.of(), Map.of(), "cpu",
                java.time.Instant.EPOCH, Optional.empty(), RunManifest.Status.RUNNING, "").write(folder);
        Path metrics = folder.resolve("metrics-joint.csv");
        Files.writeString(metrics, "");
        show(new RunPage(folder));
        run("document.querySelector('summary').click(); document.querySelector('summary').focus();"
                + "window.told = 0; new MutationObserver(() => window.told++).observe("
                + "document.querySelector('.status'), {childList: true, characterData: true, subtree: true})");
        Files.writeString(metrics, "step,temperature,elbo\n1,1.0,-9.0\n2,0.9,-5.0\n");
        until("two points", () -> points().equals("2"));
        assertThat(run("return [document.querySelector('details').open, document.activeElement.tagName, window.told]"))
                .isEqualTo(List.of(true, "SUMMARY", 0L));
        explorer.close();
        until("it is said", () -> status().contains("Start it again"));
        assertThat((String) run("return document.body.innerText")).containsOnlyOnce("Nobody answers any more")
                .doesNotContain("running");
    }

    private static String points() {
        return (String) run("return document.querySelector('figure.curve')?.dataset.points ?? ''");
    }

    /** An autoencoder of 4 x 4 pixels after a few steps: whatever it learned, another code decodes to another image. */
    @Test
    void aSliderOfACodeChangesThePicture(@TempDir Path folder) throws IOException {
        new RunManifest("mdnf vae train", Map.of(), 1, List.of(), Map.of(), "cpu", java.time.Instant.EPOCH,
                Optional.of(java.time.Instant.EPOCH), RunManifest.Status.FINISHED, "").write(folder);
        byte[] pixels = new byte[16 * 64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i / 16 % 4 == i % 4 ? 255 : 0);
        }
        DigitImages images = DigitImages.of(4, 4, pixels);
        VaeSettings settings = VaeSettings.of(3, 4).withHidden(16).withBatch(16, 1e-2);
        TrainedVae vae;
        try (GradientTraining<TrainedVae> training = new GradientTraining<>(new VaeTraining(settings, images, 5))) {
            vae = training.result(training.finish(training.init(Seed.of(1))));
        }
        show(new AutoencoderPage(vae, images.shape(), Optional.of(new LabelledImages(images, new byte[64])),
                new RunPage(folder)));
        until("a picture", () -> !picture().isEmpty());
        String before = picture();
        String code = (String) run("return document.querySelector('canvas').dataset.code");
        run("const s = document.querySelector('.sliders input'); s.value = (Number(s.value) + 1) % 4;"
                + " s.dispatchEvent(new Event('input'))");
        until("another code", () -> !code.equals(run("return document.querySelector('canvas').dataset.code")));
        assertThat(picture()).isNotEqualTo(before);
        until("an image with its posterior", () -> !browser.findElements(By.cssSelector(".heat td")).isEmpty());
        until("samples", () -> browser.findElements(By.cssSelector("[aria-label=Samples] .picture")).size() == 40);
        run("window.asked = []; const e = document.body.page.engine; const ask = e.ask.bind(e); e.ask = (q, about) => {"
                + " window.asked.push(about.index); return ask(q, about); };"
                + "for (let i = 0; i < 9; i++) document.querySelectorAll('[aria-label=Images] button')[1].click()");
        until("the last image that was wanted, and few between", () -> run("return window.asked.at(-1)").equals(9L));
        assertThat((List<?>) run("return window.asked")).hasSize(2);
        press("Its neighbours");
        until("neighbours", () -> browser.findElements(By.cssSelector("[aria-label=Code] .picture")).size() == 9);
    }

    private static String picture() {
        return (String) run("const c = document.querySelector('canvas'); return c.dataset.code ? c.toDataURL() : ''");
    }
}
