import type { AlarmSeverity } from "@herdwise/contract";
import type { MarkName } from "./mark.tsx";

/** Shapes of alarms; each is also the name of its colour. */
export const severityMarks = {
  CRITICAL: "critical",
  MAJOR: "major",
  MINOR: "minor",
  WARN: "notice",
} as const satisfies Record<AlarmSeverity, MarkName>;
