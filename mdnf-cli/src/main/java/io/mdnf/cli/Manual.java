package io.mdnf.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The page that {@code mdnf --help} shows around the list of commands. */
final class Manual {
    private Manual() { }

    /** Writes the page into the top-level command only; as annotations the commands would inherit it. */
    static void firstPage(UsageMessageSpec page) {
        page.description(
                "",
                "Approximates the posterior of categorical variables by mixtures of discrete normalizing",
                "flows. What it prints as an ELBO is a lower bound of the log evidence, and where the truth",
                "can be computed it stands beside the estimate.");
        page.exitCodeListHeading("%nExit codes:%n");
        Map<String, String> exitCodes = new LinkedHashMap<>();
        exitCodes.put("0", "fine");
        exitCodes.put("1", "something failed; stderr says what in one line");
        exitCodes.put("2", "wrong usage or wrong input");
        page.exitCodeList(exitCodes);
        page.footerHeading("%nEnvironment:%n");
        page.footer(
                "  MDNF_BACKEND      native (default) or cuda: what the launcher builds and runs with",
                "  MDNF_BUILD        gradle or maven: what the launcher builds with, if not what it finds",
                "  MDNF_JAVA_OPTS    options for Java, such as -Xmx8g",
                "  OMP_NUM_THREADS   threads of one matrix product, 1 unless set; all else runs on one",
                "  XDG_CACHE_HOME    where downloads are kept, in mdnf/ (default ~/.cache)",
                "",
                "Start with 'mdnf doctor', which says whether this machine is ready. 'mdnf COMMAND --help'",
                "explains a command; README.md and docs/ explain the rest.");
    }
}
