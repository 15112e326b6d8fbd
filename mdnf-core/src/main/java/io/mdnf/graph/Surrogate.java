package io.mdnf.graph;

import io.mdnf.space.CodeSpace;

/** The two smooth functions whose gradient a straight-through code can have. */
enum Surrogate implements StraightThrough {
    FIRST_ORDER {
        @Override
        Tensor of(Tensor scaled, Tensor hard) {
            return Softmax.linearFrom(scaled, hard);
        }
    },
    SECOND_ORDER {
        @Override
        Tensor of(Tensor scaled, Tensor hard) {
            Tensor soft = Softmax.from(scaled, hard);
            Tensor middle = hard.plus(soft).times(0.5);
            // the floor keeps impossible categories, whose probability is exactly 0, out of the second softmax
            Tensor offset = middle.log(scaled.graph().precision().tiny()).minus(scaled).stopGradient();
            return scaled.plus(offset).softmax().times(2).minus(soft.times(0.5));
        }
    };

    abstract Tensor of(Tensor scaled, Tensor hard);

    @Override
    public Tensor oneHot(Tensor logits, CodeSpace space, Tensor inverseTemperature) {
        if (this == FIRST_ORDER && space.isBinary() && !logits.isOpen()) {
            return binary(logits, inverseTemperature);
        }
        Tensor valid = StraightThrough.restrict(logits, space);
        Tensor hard = valid.argmaxOneHot();
        return StraightThrough.carryGradient(hard, of(valid.scaledBy(inverseTemperature), hard));
    }

    /** Two categories: everything follows from the difference of their logits, half as many numbers and no argmax. */
    private static Tensor binary(Tensor logits, Tensor inverseTemperature) {
        Tensor second = StraightThrough.second(StraightThrough.differences(logits), inverseTemperature);
        return StraightThrough.pairs(second, 1).reshape(logits.shape());
    }
}
