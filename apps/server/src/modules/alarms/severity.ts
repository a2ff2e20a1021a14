import { type Severity, severities } from "@herdwise/device-kinds";

/** 1 WARN to 4 CRITICAL, as the database sorts them. */
export const severityRank = (severity: Severity): number => severities.indexOf(severity) + 1;

/** @param rank 1 to 4 */
export const severityOf = (rank: number): Severity => severities[rank - 1] ?? "WARN";
