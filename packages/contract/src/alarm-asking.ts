/** As `alarmSeverities`; this file imports nothing, so that the schemas can use its lengths. */
type AlarmSeverity = "WARN" | "MINOR" | "MAJOR" | "CRITICAL";

/** Lengths in minutes for which an acknowledgement can be chosen to hold. */
export const knownLengths = [15, 30, 60, 120, 240, 480] as const;

/** Minutes that an acknowledgement holds where none are chosen, and at most, by severity (docs/decisions/0680). */
export const knownMinutes: Readonly<Record<AlarmSeverity, { usual: number; most: number }>> = {
  CRITICAL: { usual: 30, most: 60 },
  MAJOR: { usual: 120, most: 240 },
  MINOR: { usual: 480, most: 480 },
  WARN: { usual: 480, most: 480 },
};

/**
 * Minutes that an acknowledgement of an alarm holds, never more than its severity allows.
 * @param chosen undefined for the usual length
 */
export const knownFor = (severity: AlarmSeverity, chosen: number | undefined): number => {
  const { usual, most } = knownMinutes[severity];
  return Math.min(chosen ?? usual, most);
};

/** The parts of an alarm by which it is decided whether it asks. */
export interface AskingAlarm {
  /** One of `alarmStates`. */
  state: string;
  known?: { untilMs: number } | undefined;
}

/**
 * Whether an alarm asks for somebody now: its condition holds, and nobody knows of it, or the time for which somebody does is
 * over. The server ends what is known as soon as the alarm gets worse. `asksNow` of the server's database/conditions.ts is the
 * same in SQL.
 * @param nowMs ms since 1970
 */
export const asksNow = ({ state, known }: AskingAlarm, nowMs: number): boolean =>
  state === "open" && (known === undefined || known.untilMs <= nowMs);

/** The parts of an alarm by which it is sorted. */
export interface SortedAlarm extends AskingAlarm {
  id: string;
  severity: AlarmSeverity;
  raisedMs: number;
}

const ranks: Readonly<Record<AlarmSeverity, number>> = { WARN: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 };

/**
 * The order of alarms everywhere: what asks before what is known, then the most severe, then the oldest. `worstFirst` of the
 * server's database/conditions.ts is the same in SQL.
 * @param nowMs ms since 1970
 */
export const worstFirst =
  (nowMs: number) =>
  (a: SortedAlarm, b: SortedAlarm): number =>
    Number(asksNow(b, nowMs)) - Number(asksNow(a, nowMs)) ||
    ranks[b.severity] - ranks[a.severity] ||
    a.raisedMs - b.raisedMs ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : Number(a.id > b.id));
