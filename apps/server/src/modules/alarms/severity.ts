import { alarmSeverityNames } from "@herdwise/contract";
import { type LocalText, type Severity, severities } from "@herdwise/device-kinds";

/** 1 WARN to 4 CRITICAL, as the database sorts them. */
export const severityRank = (severity: Severity): number => severities.indexOf(severity) + 1;

/** @param rank 1 to 4 */
export const severityOf = (rank: number): Severity => severities[rank - 1] ?? "WARN";

/** Severities in words. */
export const severityWords: Readonly<Record<Severity, LocalText>> = {
  WARN: { zh: alarmSeverityNames.WARN, en: "Notice" },
  MINOR: { zh: alarmSeverityNames.MINOR, en: "Minor" },
  MAJOR: { zh: alarmSeverityNames.MAJOR, en: "Major" },
  CRITICAL: { zh: alarmSeverityNames.CRITICAL, en: "Critical" },
};
