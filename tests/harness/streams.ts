import { reachText, type SessionReach } from "../../apps/server/src/http/session.ts";
import { createSessionCheck } from "../../apps/server/src/http/session-streams.ts";
import type { Bus } from "../../apps/server/src/providers/bus.ts";

/** As much of a session as a live stream asks for; it reaches every row. */
export const sessionNamed = (id: string): SessionReach => ({
  id,
  grants: [],
  rows: { all: true, departmentIds: [], own: true },
  rowsOf: new Map(),
});

/** Every session goes on and reaches what `sessionNamed` does. */
const allGoOn = async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(ids.map((id) => [id, reachText(sessionNamed(id))]));

/** Watches streams as a server does. @param reachOfSessions what goes on and reaches what; by default all go on */
export const checkOn = (bus: Bus, reachOfSessions = allGoOn) =>
  createSessionCheck({ bus, reachOfSessions, versionsOfSessions: reachOfSessions });
