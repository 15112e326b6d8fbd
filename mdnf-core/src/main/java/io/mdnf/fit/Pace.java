package io.mdnf.fit;

import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.RunListener;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far a fit is: stages with shares of the work, told to a {@link Fitter.Watch} and, now and then, to the log. */
final class Pace {

    /** What a fit may consist of; weights are as the seconds each took on Hepar II (2 cores, busy with other work). */
    enum Stage {
        TRAINING_ATOMS("training atoms", 3), CODES("searching codes", 2), TRAINING_PRODUCT("training a product", 3),
        PRODUCT("searching a product", 1), MESSAGES("passing messages", 5), CONDITIONALS("learning conditionals", 24),
        FLOWS("making flows", 5),
        TRAINING_CONDITIONALS("training conditionals", 24);

        private final String doing;
        private final double weight;

        Stage(String doing, double weight) {
            this.doing = doing;
            this.weight = weight;
        }
    }

    static final long LINE_EVERY = 10_000_000_000L;
    private static final Logger LOG = LoggerFactory.getLogger(Fitter.class);

    private final Fitter.Watch watch;
    private final Set<Stage> finished = EnumSet.noneOf(Stage.class);
    private final double all;
    private final Fitter.Watch log = lines(LOG::info, LINE_EVERY);
    private Stage now;
    private long begun;
    private double share;
    private double elbo = Double.NaN;

    /** The pace of a fit that will go through some stages, in any order. */
    Pace(Fitter.Watch watch, Set<Stage> stages) {
        this.watch = watch;
        this.all = weight(stages);
    }

    /** The pace of a fit by some plans, through what they will come to as far as can be told before. */
    static Pace of(TargetModel target, List<Plan> plans, Fitter.Watch watch) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        for (Plan plan : plans) {
            boolean searched = plan instanceof Plan.Joint joint ? joint.refine()
                    : plan instanceof Plan.Factorised product ? product.refine()
                    : plan instanceof Plan.Autoregressive conditionals && conditionals.refine();
            if (plan instanceof Plan.Joint && (target.isDifferentiable() || !searched)) {
                stages.add(Stage.TRAINING_ATOMS);
            } else if (plan instanceof Plan.Factorised && target.isDifferentiable()
                    && !(searched && Fitter.isSummed(target))) {
                stages.add(Stage.TRAINING_PRODUCT);
            } else if (plan instanceof Plan.Autoregressive) {
                stages.addAll(!searched ? EnumSet.of(Stage.TRAINING_CONDITIONALS) : ConditionalsFit.isByMessages(target)
                        ? EnumSet.of(Stage.MESSAGES) : EnumSet.of(Stage.CONDITIONALS, Stage.FLOWS));
                searched &= !ConditionalsFit.isByMessages(target);
            }
            if (searched && !target.space().isListable()) {
                stages.add(Stage.CODES);
            }
            if (searched && (plan instanceof Plan.Factorised || plan instanceof Plan.Autoregressive)) {
                stages.add(Stage.PRODUCT);
            }
        }
        return new Pace(watch, stages);
    }

    /** A watch that says a line whenever so many nanoseconds have passed since the last one. */
    static Fitter.Watch lines(Consumer<String> said, long every) {
        return new Fitter.Watch() {
            private long last = System.nanoTime();

            @Override
            public void at(double share, String doing, double elbo) {
                if (System.nanoTime() - last >= every) {
                    last = System.nanoTime();
                    said.accept(String.format(Locale.ROOT, "%.0f %%, %s", 100 * share, doing)
                            + (Double.isNaN(elbo) ? "" : String.format(Locale.ROOT, ", ELBO about %.4f", elbo)));
                }
            }
        };
    }

    private static double weight(Set<Stage> stages) {
        return stages.stream().mapToDouble(stage -> stage.weight).sum();
    }

    void searching(boolean codes, double done) {
        at(codes ? Stage.CODES : Stage.PRODUCT, done);
    }

    /** Follows a training of so many steps. */
    RunListener training(Stage stage, long steps) {
        return new RunListener() {
            @Override
            public void onStep(Algorithm.Info info) {
                show(info.elbo());
                at(stage, info.step() / (double) steps);
                if (stage == Stage.CONDITIONALS && info.step() == steps) {
                    at(Stage.FLOWS, 0);
                }
            }
        };
    }

    /** Weighted samples of messages know a bound, within so many seconds of the first time this is said. */
    void messages(double bound, double seconds) {
        if (now != Stage.MESSAGES) {
            begun = System.nanoTime();
        }
        show(bound);
        at(Stage.MESSAGES, (System.nanoTime() - begun) / 1e9 / seconds);
    }

    /** A bound was reached: whatever was under way is done. */
    void reached(double bound) {
        show(bound);
        if (now != null) {
            at(now, 1);
        }
    }

    /** The latest and not the best: the largest of noisy estimates is above what any bound can be. */
    private void show(double bound) {
        elbo = Double.isFinite(bound) ? bound : elbo;
    }

    private void at(Stage stage, double done) {
        if (now != stage && now != null) {
            finished.add(now);
        }
        now = stage;
        double reached = weight(finished) + (finished.contains(stage) ? 0 : stage.weight * Math.min(1, done));
        share = Math.max(share, Math.min(1, reached / all));
        watch.at(share, stage.doing, elbo);
        log.at(share, stage.doing, elbo);
    }
}
