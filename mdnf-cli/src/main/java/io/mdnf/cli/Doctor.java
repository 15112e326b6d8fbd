package io.mdnf.cli;

import io.mdnf.cli.Checkup.Check;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mdnf doctor}: is this machine ready, and if not, what to do. */
@Command(name = "doctor", footer = "  mdnf doctor", description = {
    "Looks at versions, backend, BLAS, threads, memory, GPUs and caches, and says 'ok' or what to do.",
    "Exits 1 when something needs doing."})
final class Doctor implements Callable<Integer> {
    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        List<Check> checks = Checkup.run();
        json.answer(() -> answer(checks), out -> print(out, checks));
        return healthy(checks) ? 0 : 1;
    }

    static void print(PrintWriter out, List<Check> checks) {
        int names = checks.stream().mapToInt(check -> check.name().length()).max().orElse(0);
        int values = checks.stream().mapToInt(check -> check.value().length()).max().orElse(0);
        for (Check check : checks) {
            out.println(String.format("%-" + names + "s  %-" + values + "s  %s", check.name(), check.value(),
                    check.ok() ? "ok" : "").stripTrailing());
            if (!check.ok()) {
                out.println(" ".repeat(names) + "  -> " + check.advice());
            }
        }
    }

    static Map<String, Object> answer(List<Check> checks) {
        Map<String, Object> byName = new LinkedHashMap<>();
        checks.forEach(check -> byName.put(camelCase(check.name()), finding(check)));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ok", healthy(checks));
        answer.put("checks", byName);
        return answer;
    }

    private static Map<String, Object> finding(Check check) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("value", check.value());
        finding.put("ok", check.ok());
        if (!check.ok()) {
            finding.put("advice", check.advice());
        }
        return finding;
    }

    private static boolean healthy(List<Check> checks) {
        return checks.stream().allMatch(Check::ok);
    }

    private static String camelCase(String words) {
        return Pattern.compile(" (.)").matcher(words).replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
    }
}
