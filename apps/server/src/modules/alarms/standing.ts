import { type AlarmCourse, type AlarmStanding, alarmPath } from "@herdwise/contract";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AlarmRepository } from "./alarm.repository.ts";
import { alarmView } from "./alarm.service.ts";
import { severalAlarms } from "./notice.service.ts";

/** Where alarms stand that the scope reaches, and what happened to them. */
export type AlarmStandings = (
  scope: TenantScope,
  ids: readonly string[],
) => Promise<{ alarms: AlarmStanding[]; course: AlarmCourse[] }>;

/** Lines of all alarms that one call names. */
const mostLines = 1000;

/** Alarms that messages about one thing name, newest first. @param links where the messages lead */
export function alarmIdsOf(thing: string, links: readonly string[]): string[] {
  const ofLinks = links.flatMap((link) =>
    link.startsWith(`${alarmPath}?id=`) ? [link.slice(alarmPath.length + 4)] : [],
  );
  const ofThing = thing.startsWith(severalAlarms) ? thing.slice(severalAlarms.length).split(",") : [];
  const ids = [...ofLinks, ...ofThing].filter((id) => /^\d{1,19}$/.test(id));
  return [...new Set(ids)].toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1));
}

/** Reads alarms for what is about them, such as messages. */
export const alarmStandings =
  (repository: Pick<AlarmRepository, "some" | "entriesOf">): AlarmStandings =>
  async (scope, ids) => {
    if (ids.length === 0) return { alarms: [], course: [] };
    const [rows, entries] = await Promise.all([
      repository.some(scope, ids),
      repository.entriesOf(scope, ids, mostLines),
    ]);
    const alarms = rows.map(alarmView);
    const ends = { personName: "", body: "" };
    return {
      alarms,
      course: [
        ...alarms.map(({ id, raisedMs }) => ({ alarmId: id, action: "raise" as const, ...ends, atMs: raisedMs })),
        ...entries.map(({ alarmId, action, personName, body, createdAt }) => ({
          alarmId,
          action,
          personName,
          body,
          atMs: createdAt.getTime(),
        })),
        ...alarms.flatMap(({ id, endedMs }) =>
          endedMs === undefined ? [] : [{ alarmId: id, action: "end" as const, ...ends, atMs: endedMs }],
        ),
      ],
    };
  };
