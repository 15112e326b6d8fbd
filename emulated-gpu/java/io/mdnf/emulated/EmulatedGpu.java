package io.mdnf.emulated;

import org.nd4j.linalg.jcublas.JCublasBackend;

/** ND4J's CUDA backend on the emulated GPU, which it would not look for. */
public final class EmulatedGpu extends JCublasBackend {

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public boolean canRun() {
        return true;
    }

    @Override
    public int getPriority() {
        return super.getPriority() + 1;
    }
}
