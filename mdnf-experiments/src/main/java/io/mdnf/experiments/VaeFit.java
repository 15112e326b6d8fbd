package io.mdnf.experiments;

import io.mdnf.random.Seed;
import io.mdnf.training.DivergenceException;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.util.Arrays;

/**
 * One finished training of a VAE. All figures are nats per image; those of a training that diverged are NaN from there.
 *
 * @param objective [epochs] mean of the method's own objective over each epoch
 * @param trainElbo [epochs] valid ELBO on some training images after each epoch
 * @param testElbo [epochs] the same on test images
 * @param claim the method's own objective on all training images at the end, the same images as {@code train}
 * @param train valid ELBO on all training images at the end
 * @param test valid ELBO on all test images
 * @param testError its standard error over images
 * @param testKl KL(q || prior) on all test images
 * @param testLogLikelihood log p(x) on all test images; NaN where codes cannot be enumerated
 */
record VaeFit(double[] objective, double[] trainElbo, double[] testElbo, double claim, double train, double test,
        double testError, double testKl, double testLogLikelihood, double seconds) {

    /** What is trained on, for how long, and how many images of each set are evaluated after an epoch. */
    record Course(DigitImages train, DigitImages test, int epochs, int evaluated) { }

    static VaeFit train(VaeSettings settings, Course course, Seed seed) {
        long began = System.nanoTime();
        double[] objective = nan(course.epochs);
        double[] trainElbo = nan(course.epochs);
        double[] testElbo = nan(course.epochs);
        double[] end = nan(6);
        Seed codes = seed.fold("evaluation");
        VaeTraining task = new VaeTraining(settings, course.train, course.epochs);
        try (var training = new GradientTraining<>(task)) {
            TrainingState state = training.init(seed);
            for (int epoch = 0; epoch < course.epochs; epoch++) {
                state = training.advance(state, task.stepsPerEpoch());
                objective[epoch] = task.epochObjective(state);
                try (TrainedVae vae = training.result(state)) {
                    trainElbo[epoch] = elbo(vae, course.train.first(course.evaluated), codes);
                    testElbo[epoch] = elbo(vae, course.test.first(course.evaluated), codes);
                    if (epoch == course.epochs - 1) {
                        VaeEvaluation test = vae.evaluate(course.test, codes, 1, 0, true);
                        end = new double[] {task.objectives(state, course.train, 1, codes)[0],
                            elbo(vae, course.train, codes), test.elbo().value(), test.elbo().standardError(), test.kl(),
                            test.logLikelihood().map(e -> e.value()).orElse(Double.NaN)};
                    }
                }
            }
        } catch (DivergenceException e) {
            // a result too: the figures stay NaN, and the other trainings go on
            end = nan(6);
        }
        return new VaeFit(objective, trainElbo, testElbo, end[0], end[1], end[2], end[3], end[4], end[5],
                (System.nanoTime() - began) * 1e-9);
    }

    private static double elbo(TrainedVae vae, DigitImages images, Seed codes) {
        return vae.evaluate(images, codes, 1, 0, false).elbo().value();
    }

    private static double[] nan(int length) {
        double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        return values;
    }
}
