import { type AlarmSeverity, alarmSeverityNames } from "@herdwise/contract";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const severityMarks: Readonly<Record<AlarmSeverity, MarkName>> = {
  CRITICAL: "critical",
  MAJOR: "major",
  MINOR: "minor",
  WARN: "notice",
};

/** The worst first. */
export const severityOrder = ["CRITICAL", "MAJOR", "MINOR", "WARN"] as const satisfies readonly AlarmSeverity[];
/** To choose one, the worst first. */
export const severityOptions = severityOrder.map((severity) => [severity, alarmSeverityNames[severity]] as const);
