package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;

/** What every experiment's findings have in common. */
final class FindingsOf {

    private FindingsOf() { }

    /** So many; each short, with a unit or a direction, ours a number, and the limit one where there is one. */
    static void areFinite(ReportSection section, int count) {
        assertThat(section.findings()).hasSize(count).allSatisfy(finding -> {
            assertThat(finding.what()).hasSizeLessThan(115).matches(".*\\((nats.*|%, .|[↑↓])\\)");
            assertThat(Double.parseDouble(finding.ours())).isFinite();
            if (!finding.limit().equals(Finding.NONE)) {
                assertThat(Double.parseDouble(finding.limit())).isFinite();
            }
        });
    }
}
