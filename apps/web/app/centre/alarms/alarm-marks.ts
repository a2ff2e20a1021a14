import { type AlarmSeverity, alarmSeverityNames } from "@herdwise/contract";

/** The worst first. */
export const severityOrder = ["CRITICAL", "MAJOR", "MINOR", "WARN"] as const satisfies readonly AlarmSeverity[];
/** To choose one, the worst first. */
export const severityOptions = severityOrder.map((severity) => [severity, alarmSeverityNames[severity]] as const);
