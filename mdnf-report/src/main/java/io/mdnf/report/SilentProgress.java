package io.mdnf.report;

/** Shows nothing. */
final class SilentProgress implements Progress {
    @Override
    public void at(long done, double elbo) {
        // Quiet was asked for.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
