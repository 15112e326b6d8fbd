package io.mdnf.graph;

import java.io.PrintStream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;

/** SameDiff's gradient function without the line it prints on standard output for every operation. */
final class QuietAutodiff {

    private static final String CHATTER = "Added differentiated op";

    private QuietAutodiff() {}

    /** Differentiates a model with respect to parameters and returns the graph that computes loss and gradients. */
    static synchronized SameDiff gradientGraph(SameDiff model, SDVariable loss, String[] parameters) {
        PrintStream out = System.out;
        System.setOut(new Filter(out));
        try {
            model.setLossVariables(loss.name());
            model.createGradFunction(parameters);
        } catch (RuntimeException e) {
            // what ND4J says names its own class at best, as where logSoftmax is given an axis
            throw new IllegalArgumentException("ND4J " + Backend.version()
                    + " cannot differentiate an operation of this"
                    + " graph (" + e.getMessage() + "): use the operations of Tensor in its place", e);
        } finally {
            System.setOut(out);
        }
        return model.getFunction("grad");
    }

    /** Drops SameDiff's lines and passes everything else, so that other threads' output is not lost. */
    private static final class Filter extends PrintStream {
        Filter(PrintStream out) {
            super(out, true);
        }

        @Override
        public void println(String line) {
            if (line == null || !line.startsWith(CHATTER)) {
                super.println(line);
            }
        }
    }
}
