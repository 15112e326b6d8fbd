/**
 * The command line {@code mdnf}.
 *
 * <p>Commands are small picocli classes whose fields and signatures name no ND4J type: picocli inspects every command
 * when the program starts, and help, version and usage errors must answer without loading ND4J. A command that computes
 * calls {@link io.mdnf.cli.Nd4jStart#now()} first, and says {@link io.mdnf.cli.UsageProblem} when its input is wrong.
 */
package io.mdnf.cli;
