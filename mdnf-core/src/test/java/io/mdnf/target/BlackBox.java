package io.mdnf.target;

import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.function.ToDoubleFunction;

/** A target of which nothing but values is known, and that counts how many were asked for. */
public final class BlackBox implements TargetModel {

    private final CodeSpace codes;
    private final ToDoubleFunction<int[]> logJoint;
    private long evaluations;

    public BlackBox(CodeSpace codes, ToDoubleFunction<int[]> logJoint) {
        this.codes = codes;
        this.logJoint = logJoint;
    }

    public long evaluations() {
        return evaluations;
    }

    @Override
    public CodeSpace space() {
        return codes;
    }

    @Override
    public double[] logJoint(int[][] codes) {
        evaluations += codes.length;
        double[] values = new double[codes.length];
        for (int i = 0; i < codes.length; i++) {
            values[i] = logJoint.applyAsDouble(codes[i]);
        }
        return values;
    }
}
