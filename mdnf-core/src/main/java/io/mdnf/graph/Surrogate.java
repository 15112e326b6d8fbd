package io.mdnf.graph;

import io.mdnf.space.CodeSpace;
import java.util.function.BinaryOperator;

/** The two smooth functions whose gradient a straight-through code can have. */
enum Surrogate implements StraightThrough {
    FIRST_ORDER(Softmax::linearFrom), SECOND_ORDER(Surrogate::heun);

    /** Of scaled logits and the one-hot code. */
    private final BinaryOperator<Tensor> surrogate;

    Surrogate(BinaryOperator<Tensor> surrogate) {
        this.surrogate = surrogate;
    }

    private static Tensor heun(Tensor scaled, Tensor hard) {
        Tensor soft = Softmax.from(scaled, hard);
        Tensor middle = hard.plus(soft).times(0.5);
        // the floor keeps impossible categories, whose probability is exactly 0, out of the second softmax
        Tensor offset = middle.log(scaled.graph().precision().tiny()).minus(scaled).stopGradient();
        return scaled.plus(offset).softmax().times(2).minus(soft.times(0.5));
    }

    @Override
    public Tensor oneHot(Tensor logits, CodeSpace space, Tensor inverseTemperature) {
        if (this == FIRST_ORDER && space.isBinary() && !logits.isOpen()) {
            return binary(logits, inverseTemperature);
        }
        Tensor valid = StraightThrough.restrict(logits, space);
        Tensor hard = valid.argmaxOneHot();
        return StraightThrough.carryGradient(hard, surrogate.apply(valid.scaledBy(inverseTemperature), hard));
    }

    /** Two categories: everything follows from the difference of their logits, half as many numbers and no argmax. */
    private static Tensor binary(Tensor logits, Tensor inverseTemperature) {
        Tensor second = StraightThrough.second(StraightThrough.differences(logits), inverseTemperature);
        return StraightThrough.pairs(second, 1).reshape(logits.shape());
    }
}
