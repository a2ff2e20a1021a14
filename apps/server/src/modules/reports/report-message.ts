import { type ReportPeriod, reportPath } from "@herdwise/contract";

/** What a message of a report says beside its title, with the way to the report. @param of the farm, and the first day of the report */
export const reportMessage = ({
  farmId,
  farmName,
  period,
  day,
}: {
  farmId: string;
  farmName: string;
  period: ReportPeriod;
  day: string;
}) =>
  ({
    kind: "system",
    content: `${farmName} · ${day}`,
    link: `${reportPath}?farm=${farmId}&period=${period}&day=${day}`,
  }) as const;
