import type { CommandState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface SentCommand {
  id: string;
  requestId: number;
  method: string;
  params: unknown;
  oneWay: boolean;
}

/** A command that came to another state. */
export interface ChangedCommand {
  id: string;
  deviceId: string;
  state: CommandState;
}

/** A command that is sent is tried again when the device did not acknowledge it within this time, s. */
const acknowledgedWithinS = 15;

/**
 * Commands on their way to devices. Each statement changes a state only from those that may precede it, so of two that race one
 * wins, and a final state never changes.
 * @param db a pool or an open transaction
 */
export function commandProtocolRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  const changed = (query: ReturnType<typeof sql<ChangedCommand>>) => query.execute(db).then(({ rows }) => rows);

  return {
    /** Takes the oldest open command of a device when it is queued: while one is under way the others wait. */
    async takeNext(deviceId: string, serverId: string): Promise<SentCommand | undefined> {
      const { rows } = await sql<SentCommand>`
        update device_commands c
           set state = 'sent', attempts = attempts + 1, sent_at = now(), sent_by = ${serverId},
               due_at = now() + make_interval(secs => ${acknowledgedWithinS})
         where c.id = (select o.id from device_commands o where o.device_id = ${deviceId} and o.finished_at is null
                        order by o.request_id limit 1 for update)
           and c.state = 'queued' and c.expires_at > now()
        returning c.id, c.request_id, c.method, c.params, c.one_way`.execute(db);
      return rows[0];
    },

    /** Puts a command back that no connection took. */
    release: (id: string) =>
      changed(sql<ChangedCommand>`
        update device_commands set state = 'queued', attempts = attempts - 1, due_at = null
         where id = ${id} and state = 'sent'
        returning id, device_id, state`),

    /** The device acknowledged it: one-way commands are done, of others the answer is awaited. */
    delivered: (id: string) =>
      changed(sql<ChangedCommand>`
        update device_commands
           set delivered_at = now(),
               state = case when one_way then 'succeeded' else 'delivered' end,
               finished_at = case when one_way then now() end,
               due_at = case when one_way then null else now() + make_interval(secs => timeout_s) end
         where id = ${id} and state in ('queued', 'sent') and attempts > 0
        returning id, device_id, state`),

    /** The device's answer to its request; none when nothing waits for it. */
    answered: (
      deviceId: string,
      requestId: number,
      { succeeded, response, error }: { succeeded: boolean; response: unknown; error: string },
    ) =>
      changed(sql<ChangedCommand>`
        update device_commands
           set state = ${succeeded ? "succeeded" : "failed"}, response = ${JSON.stringify(response ?? null)}::jsonb,
               error = ${error}, delivered_at = coalesce(delivered_at, now()), finished_at = now(), due_at = null
         where device_id = ${deviceId} and request_id = ${requestId} and finished_at is null and attempts > 0
        returning id, device_id, state`),

    /**
     * A connection ended, or a new one began: what was sent and not acknowledged is sent again. The number in the topic stays, so
     * a device that had got it can tell.
     * @param except commands that a connection of this server still has in hand
     */
    requeue: (deviceId: string, except: readonly string[]) =>
      changed(sql<ChangedCommand>`
        update device_commands
           set state = case when attempts < max_attempts then 'queued' else 'timed_out' end,
               finished_at = case when attempts < max_attempts then null else now() end, due_at = null
         where device_id = ${deviceId} and state = 'sent' and id <> all(${[...except]}::bigint[])
        returning id, device_id, state`),

    /** Ends what is overdue, on whatever server it was. A delivered command is never sent again: it may have been carried out. */
    settleOverdue: () =>
      changed(sql<ChangedCommand>`
        update device_commands
           set state = case
                 when state = 'sent' and attempts < max_attempts and expires_at > now() then 'queued'
                 when attempts = 0 then 'expired'
                 else 'timed_out' end,
               finished_at = case
                 when state = 'sent' and attempts < max_attempts and expires_at > now() then null
                 else now() end,
               due_at = null
         where finished_at is null and (due_at <= now() or (state = 'queued' and expires_at <= now()))
        returning id, device_id, state`),

    /** Which of the devices have a command to be sent. */
    async waiting(deviceIds: readonly string[]): Promise<string[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<{ deviceId: string }>`
        select distinct c.device_id from device_commands c
         where c.finished_at is null and c.state = 'queued' and c.device_id in (select unnest(${[...deviceIds]}::bigint[]))`.execute(
        db,
      );
      return rows.map(({ deviceId }) => deviceId);
    },

    /** Removes what ended before. @returns how many */
    async removeBefore(day: Date): Promise<number> {
      const { numDeletedRows } = await db.deleteFrom("deviceCommands").where("finishedAt", "<", day).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
export type CommandProtocolRepository = ReturnType<typeof commandProtocolRepository>;
