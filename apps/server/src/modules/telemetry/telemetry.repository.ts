import type { Reading } from "@herdwise/contract";
import type { RejectedReadings, RejectReason, TimedNumber } from "@herdwise/device-kinds";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/connection.ts";
import { isDistributed } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { packAll } from "./packing.ts";
import { partitionAt, partitionRepository } from "./partition.repository.ts";
import { type EventRow, messageLimits } from "./telemetry.parse.ts";

/** A row to store: the readings of one device at one time. */
export interface StoredTelemetry {
  /** Microseconds since 1970; a device's own times are whole milliseconds, times that the server assigned never are. */
  at: number;
  values: Record<string, unknown>;
  /** Rejected readings, which are stored only as evidence. */
  rejected?: RejectedReadings;
  clockSkew: boolean;
  /** Its readings were rejected on arrival and are accepted now; the row already exists. */
  believedLater?: true;
}

/** Rows of one device in a batch, `at` ascending and unique. */
export interface DeviceRows {
  deviceId: string;
  rows: readonly StoredTelemetry[];
  /** Numbers of the keys, from `addKeys`. */
  numbers: ReadonlyMap<string, number>;
}

/** A reading with the microseconds of its time, which are not sent to clients. */
export type TimedReading = Reading & { us?: number };
export type TimedReadings = Record<string, TimedReading>;

/** Number of rejected readings of a channel for a reason since the last write. */
export interface RejectedCount {
  deviceId: string;
  key: string;
  reason: RejectReason;
  readings: number;
  /** Text of the newest of them. */
  lastText: string;
  lastAt: Date;
}

/** Newest long values of a device by key: length as JSON, and time in ms since 1970. */
export type LongValues = ReadonlyMap<string, { length: number; ts: number }>;

/** Stored facts about a device that its next messages are checked against. */
export interface HeldOfDevice {
  /** Keys that it has used, in the order of their numbers. */
  keys: readonly string[];
  long: LongValues;
  /** Newest numbers of the requested channels, by key. */
  numbers: ReadonlyMap<string, TimedNumber>;
  /** Number of the database node that has its rows; 0 when they are not distributed. */
  node: number;
}

/** A device was removed while its message was under way; the code is that of a violated foreign key. */
class DeviceRemovedError extends Error {
  readonly code = "23503";
}

/** Changes of one device's state by a batch. */
export interface StateChange {
  deviceId: string;
  readings: TimedReadings;
  /** Oldest and newest time in `readings`, in microseconds since 1970. */
  oldestAt: number;
  newestAt: number;
  /** Time until which the device counts as online, ms since 1970. */
  onlineUntil: number;
}

/** PostgreSQL's text of an array whose elements need no quotes. */
const listOf = (items: readonly (string | number)[]): string => `{${items.join(",")}}`;
/**
 * Hours since 1970 that contain rows, as the text of a multirange.
 * @param rows in the order of their times
 */
function hoursOf(rows: readonly StoredTelemetry[]): string {
  const ranges: [number, number][] = [];
  for (const { at } of rows) {
    const hour = Math.floor(at / 3_600_000_000);
    const last = ranges.at(-1);
    if (last === undefined || hour > last[1]) ranges.push([hour, hour + 1]);
    else if (hour === last[1]) last[1] = hour + 1;
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(",")}}`;
}
const mergeRepeated = sql`
  on conflict (device_id, ts) do update set packed = merge_telemetry(held.packed, excluded.packed)
    where case when held.packed = excluded.packed then false
               else merge_telemetry(held.packed, excluded.packed) is distinct from held.packed end`;
const mergeReadings = sql`
  on conflict (device_id) do update set
    readings = case when held.newest_at < excluded.merged_from then held.readings || excluded.readings
                    else merge_readings(held.readings, excluded.readings) end,
    merged_from = excluded.merged_from,
    newest_at = greatest(held.newest_at, excluded.newest_at)
  returning device_id, readings_tell_fault(readings) as tells_fault`;
const mergeStates = sql`
  on conflict (device_id) do update set
    tells_fault = excluded.tells_fault,
    reported_at = greatest(held.reported_at, excluded.reported_at),
    online_until = greatest(held.online_until, excluded.online_until),
    pending_hours = case when held.pending_hours @> excluded.pending_hours then held.pending_hours
                         else held.pending_hours + excluded.pending_hours end`;
/** UTC day of a time in ms since 1970, as yyyy-MM-dd. */
export const utcDay = (ts: number): string => new Date(ts).toISOString().slice(0, 10);

/** Telemetry and presence of devices of all tenants; a message belongs to its device, whatever its tenant. */
export function telemetryRepository(database: Pick<Database, "kysely" | "prepared">, scope: SystemScope) {
  requireSystemScope(scope);
  const { kysely: db, prepared } = database;
  const partitions = partitionRepository(db, scope);
  /** Whether rows are distributed over nodes; asked again after a failure, because an operator may distribute them meanwhile. */
  let distributed: Promise<boolean> | undefined;
  const askAgain = (): void => {
    distributed = undefined;
  };
  const overNodes = async (): Promise<boolean> => {
    distributed ??= isDistributed(db);
    try {
      return await distributed;
    } catch (error) {
      askAgain();
      throw error;
    }
  };
  /** Locks the states of a list in the order of `store`; over nodes there is no such lock, and the database ends a deadlock. */
  const lockInOrder = async (alias: string) =>
    (await overNodes()) ? sql`` : sql.raw(`order by ${alias}.device_id::text collate "C" for update of ${alias}`);
  const nodeOf = async (deviceId: string): Promise<number> => {
    if (!(await overNodes())) return 0;
    const { rows } = await sql<{ node: number }>`
      select groupid as node from pg_dist_placement
       where shardid = get_shard_id_for_distribution_column('device_states', ${deviceId}::bigint) limit 1`.execute(db);
    return rows[0]?.node ?? 0;
  };

  /** Stands in for the foreign keys that distributed tables can't have: the devices can't be removed until the commit. */
  const holdDevices = async (transaction: Kysely<DB>, ids: readonly string[]): Promise<{ kind: string }[]> => {
    const { rows } = await sql<{ kind: string }>`
      select kind from devices where id = any(${listOf(ids)}::bigint[]) order by id for key share`.execute(transaction);
    if (rows.length < ids.length) throw new DeviceRemovedError("the device was removed");
    return rows;
  };

  /**
   * `store` on distributed tables, where one statement can't write two of them. Rows as VALUES are sent to their shards at once;
   * a SELECT of them would go through a file of each shard.
   */
  const storeOverNodes = (
    parts: readonly DeviceRows[],
    changes: readonly StateChange[],
    repeats: boolean,
  ): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const time = (us: number) => sql`timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond'`;
      const ids = changes.map(({ deviceId }) => deviceId);
      await holdDevices(transaction, ids);
      const { packed, ends } = packAll(parts);
      let begins = 0;
      let at = 0;
      const stored = parts.flatMap(({ deviceId, rows }) =>
        rows.map((row) => {
          const end = ends[at] ?? begins;
          const entry = packed.subarray(begins, end);
          begins = end;
          at += 1;
          return sql`(${deviceId}::bigint, ${time(row.at)}, ${entry}::bytea, ${row.clockSkew}::boolean)`;
        }),
      );
      await sql`insert into telemetry as held (device_id, ts, packed, clock_skew) values ${sql.join(stored)}
        ${repeats ? mergeRepeated : sql``}`.execute(transaction);
      const { rows: newest } = await sql<{ deviceId: string; tellsFault: boolean }>`
        insert into device_readings as held (device_id, readings, merged_from, newest_at) values ${sql.join(
          changes.map(
            ({ deviceId, readings, oldestAt, newestAt }) =>
              sql`(${deviceId}::bigint, ${JSON.stringify(readings)}::jsonb, ${time(oldestAt)}, ${time(newestAt)})`,
          ),
        )}
        ${mergeReadings}`.execute(transaction);
      const faults = new Map(newest.map(({ deviceId, tellsFault }) => [deviceId, tellsFault]));
      await sql`insert into device_states as held (device_id, tells_fault, reported_at, online_until, pending_hours)
        values ${sql.join(
          changes.map(
            (
              { deviceId, newestAt, onlineUntil },
              place,
            ) => sql`(${deviceId}::bigint, ${faults.get(deviceId) ?? false}::boolean,
              ${time(newestAt)}, to_timestamp(${onlineUntil / 1000}::float8), ${hoursOf(parts[place]?.rows ?? [])}::int4multirange)`,
          ),
        )}
        ${mergeStates}`.execute(transaction);
    });

  const addKeysOn = async (
    on: Kysely<DB>,
    fresh: readonly { deviceId: string; keys: readonly string[] }[],
  ): Promise<{ deviceId: string; keys: string[] }[]> => {
    const { rows } = await sql<{ deviceId: string; keys: string[] }>`
        insert into telemetry_keys as held (device_id, keys)
        select r.device_id, array(select jsonb_array_elements_text(r.keys::jsonb))
          from unnest(${listOf(fresh.map(({ deviceId }) => deviceId))}::bigint[],
                      string_to_array(${fresh.map(({ keys }) => JSON.stringify(keys)).join("\n")}, E'\n')) as r (device_id, keys)
        on conflict (device_id) do update set keys = held.keys || array(
          select a.key from unnest(excluded.keys) with ordinality as a (key, place)
           where a.key <> all (held.keys) order by a.place)
        returning device_id, keys`.execute(on);
    return rows;
  };

  const insertNewEvents = (on: Kysely<DB>, deviceId: string, events: readonly EventRow[]) =>
    on
      .insertInto("deviceEvents")
      .values(
        events.map(({ type, eventId, ts, body }) => ({
          deviceId,
          type,
          eventId,
          ts: new Date(ts),
          body: JSON.stringify(body),
        })),
      )
      .onConflict((conflict) => conflict.doNothing());

  /** On distributed tables this also does what a trigger and a foreign key of device_events do elsewhere. */
  const insertEventsOverNodes = (deviceId: string, events: readonly EventRow[]): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const [device] = await holdDevices(transaction, [deviceId]);
      const stored = await insertNewEvents(transaction, deviceId, events).returning(["type", "eventId"]).execute();
      const weighed = stored.filter(({ type }) => type === "weighed");
      if (device?.kind !== "weighbridge" || weighed.length === 0) return;
      await transaction
        .insertInto("scaleMessages")
        .values(weighed.map(({ eventId }) => ({ deviceId, eventId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });

  return {
    /** Days (yyyy-MM-dd, UTC) with a partition. */
    async partitions(): Promise<string[]> {
      return (await partitions.list("telemetry")).map(({ from }) => from);
    },

    /** Creates the partition of a UTC day; several servers may do so at once. */
    createPartition: (day: string): Promise<void> =>
      partitions.create("telemetry", partitionAt("telemetry", Date.parse(`${day}T00:00:00Z`))),

    /** Keys that a device has used, lengths of its newest long values, and newest numbers of some channels. */
    async heldOf(deviceId: string, channels: readonly string[] = []): Promise<HeldOfDevice> {
      const { rows } = await sql<{
        keys: string[] | null;
        long: [key: string, length: number, ts: number][] | null;
        numbers: [key: string, value: number, ts: number, us: number][] | null;
      }>`
        select k.keys, (select jsonb_agg(jsonb_build_array(r.key, length(r.value ->> 'value'), r.value -> 'ts')) from jsonb_each(n.readings) r
                         where length(r.value ->> 'value') > ${messageLimits.longValue}) as long,
               (select jsonb_agg(jsonb_build_array(c.key, n.readings -> c.key -> 'value', n.readings -> c.key -> 'ts',
                                                   coalesce(n.readings -> c.key -> 'us', '0')))
                  from unnest(${channels}::text[]) as c (key)
                 where jsonb_typeof(n.readings -> c.key -> 'value') = 'number') as numbers
          from (select ${deviceId}::bigint as id) d
          left join telemetry_keys k on k.device_id = d.id
          left join device_readings n on n.device_id = d.id`.execute(db);
      const { keys, long, numbers } = rows[0] ?? {};
      return {
        keys: keys ?? [],
        long: new Map((long ?? []).map(([key, length, ts]) => [key, { length, ts }])),
        numbers: new Map((numbers ?? []).map(([key, value, ts, us]) => [key, { atMs: ts + us / 1000, value }])),
        node: await nodeOf(deviceId),
      };
    },

    /** Assigns the next numbers to new keys of a device; a key that another server added meanwhile keeps its number. */
    async addKeys(
      fresh: readonly { deviceId: string; keys: readonly string[] }[],
    ): Promise<{ deviceId: string; keys: string[] }[]> {
      if (!(await overNodes())) return addKeysOn(db, fresh);
      return db.transaction().execute(async (transaction) => {
        await holdDevices(
          transaction,
          fresh.map(({ deviceId }) => deviceId),
        );
        return addKeysOn(transaction, fresh);
      });
    },

    /**
     * Stores rows and updates the states of their devices in one statement.
     * A second row of the same device and time only adds new keys. The state keeps the newest reading of each key by time.
     * Hours with new rows are marked for the roll-ups.
     * Both lists have the same order of devices on all servers, so that servers wait for each other without deadlocks.
     * @param changes one for each of `parts`, in the same order
     * @param repeats whether rows may exist already. Looking for each of them costs as much as writing it; without it an
     * existing row fails the statement with 23505, and nothing is stored
     */
    async store(parts: readonly DeviceRows[], changes: readonly StateChange[], repeats = true): Promise<void> {
      if (await overNodes()) return storeOverNodes(parts, changes, repeats);
      const rowIds: string[] = [];
      const times: number[] = [];
      const skews: string[] = [];
      for (const { deviceId, rows } of parts) {
        for (const row of rows) {
          rowIds.push(deviceId);
          times.push(row.at);
          skews.push(row.clockSkew ? "t" : "f");
        }
      }
      const { packed, ends } = packAll(parts);
      const ids = listOf(changes.map((change) => change.deviceId));
      const newest = listOf(changes.map((change) => change.newestAt));
      // Lists are passed as text: JSON has no line breaks, so lines need no quoting, which the driver would do by character;
      // packed rows are one byte string.
      // `||` alone is correct when all arriving readings are newer than the stored ones, which is nearly always so.
      const { sql: text, parameters } = sql`
        with stored as (
          insert into telemetry as held (device_id, ts, packed, clock_skew)
          select r.device_id, timestamptz 'epoch' + r.at * interval '1 microsecond',
                 substring(${packed}::bytea from r.begins + 1 for r.ends - r.begins), r.clock_skew
            from unnest(${listOf(rowIds)}::bigint[], ${listOf(times)}::bigint[], ${listOf([0, ...ends.slice(0, -1)])}::integer[],
                        ${listOf(ends)}::integer[], ${listOf(skews)}::boolean[]) as r (device_id, at, begins, ends, clock_skew)
          ${repeats ? mergeRepeated : sql``}),
        newest as (
          insert into device_readings as held (device_id, readings, merged_from, newest_at)
          select r.device_id, r.readings::jsonb, timestamptz 'epoch' + r.oldest_at * interval '1 microsecond',
                 timestamptz 'epoch' + r.newest_at * interval '1 microsecond'
            from unnest(${ids}::bigint[],
                        string_to_array(${changes.map((change) => JSON.stringify(change.readings)).join("\n")}, E'\n'),
                        ${listOf(changes.map((change) => change.oldestAt))}::bigint[],
                        ${newest}::bigint[]) as r (device_id, readings, oldest_at, newest_at)
          ${mergeReadings})
        insert into device_states as held (device_id, tells_fault, reported_at, online_until, pending_hours)
        select r.device_id, n.tells_fault, timestamptz 'epoch' + r.newest_at * interval '1 microsecond',
               to_timestamp(r.online_until / 1000.0), r.hours::int4multirange
          from unnest(${ids}::bigint[], ${newest}::bigint[], ${listOf(changes.map((change) => change.onlineUntil))}::float8[],
                      string_to_array(${parts.map(({ rows }) => hoursOf(rows)).join("\n")}, E'\n'))
               as r (device_id, newest_at, online_until, hours)
          join newest n on n.device_id = r.device_id
         order by r.device_id::text collate "C"
        ${mergeStates}`.compile(db);
      // Prepared, because planning takes longer than storing one message; the plan is the same for all values, since rows are
      // found by primary key.
      await prepared({ name: repeats ? "merge telemetry" : "store telemetry", text }, parameters).catch(
        (error: unknown) => {
          askAgain();
          throw error;
        },
      );
    },

    /** Newest readings of devices; devices without any are left out. */
    async newestReadings(ids: readonly string[]): Promise<Map<string, TimedReadings>> {
      const rows = await db
        .selectFrom("deviceReadings")
        .select(["deviceId", "readings"])
        .where("deviceId", "in", [...ids])
        .execute();
      return new Map(rows.map(({ deviceId, readings }) => [deviceId, readings as TimedReadings]));
    },

    async insertEvents(deviceId: string, events: readonly EventRow[]): Promise<void> {
      if (await overNodes()) return insertEventsOverNodes(deviceId, events);
      await insertNewEvents(db, deviceId, events).execute();
    },

    /** Adds numbers of dropped messages; devices that no longer exist are skipped. */
    async addDropped(
      drops: readonly { deviceId: string; reason: string; messages: number; lastAt: Date }[],
    ): Promise<void> {
      await sql`
        insert into device_dropped_messages as held (device_id, reason, messages, last_at)
        select r.device_id, r.reason, r.messages, r.last_at
          from unnest(${listOf(drops.map((row) => row.deviceId))}::bigint[], ${drops.map((row) => row.reason)}::text[],
                      ${listOf(drops.map((row) => row.messages))}::bigint[], ${drops.map((row) => row.lastAt.toISOString())}::timestamptz[])
               as r (device_id, reason, messages, last_at)
         where exists (select from devices d where d.id = r.device_id)
         order by r.device_id, r.reason
        on conflict (device_id, reason) do update set
          messages = held.messages + excluded.messages,
          last_at = greatest(held.last_at, excluded.last_at)`.execute(db);
    },

    /** Adds numbers of rejected readings; devices that no longer exist are skipped. */
    async addRejected(counts: readonly RejectedCount[]): Promise<void> {
      await sql`
        insert into device_rejected_readings as held (device_id, key, reason, readings, last_text, last_at)
        select r.device_id, r.key, r.reason, r.readings, r.last_text, r.last_at
          from unnest(${listOf(counts.map((row) => row.deviceId))}::bigint[], ${counts.map((row) => row.key)}::text[],
                      ${counts.map((row) => row.reason)}::text[], ${listOf(counts.map((row) => row.readings))}::bigint[],
                      ${counts.map((row) => row.lastText)}::text[], ${counts.map((row) => row.lastAt.toISOString())}::timestamptz[])
               as r (device_id, key, reason, readings, last_text, last_at)
         where exists (select from devices d where d.id = r.device_id)
         order by r.device_id, r.key, r.reason
        on conflict (device_id, key, reason) do update set
          readings = held.readings + excluded.readings,
          last_text = case when excluded.last_at >= held.last_at then excluded.last_text else held.last_text end,
          last_at = greatest(held.last_at, excluded.last_at)`.execute(db);
    },

    /** Adds to the number of values stored in the current hour. */
    async addVolume(values: number): Promise<void> {
      await sql`insert into telemetry_volumes as held (hour, stored_values) values (date_trunc('hour', now()), ${values})
        on conflict (hour) do update set stored_values = held.stored_values + excluded.stored_values`.execute(db);
    },

    /** Number of values stored in the current hour and the 24 hours before. */
    async valuesLastDay(): Promise<number> {
      const { rows } = await sql<{ values: number }>`
        select coalesce(sum(stored_values), 0)::float8 as values from telemetry_volumes
         where hour > now() - interval '24 hours'`.execute(db);
      return rows[0]?.values ?? 0;
    },

    /** Devices that went offline in (after, until]. */
    async wentSilent(after: Date, until: Date): Promise<{ deviceId: string; connected: boolean }[]> {
      return db
        .selectFrom("deviceStates")
        .select(["deviceId", "connected"])
        .where("onlineUntil", ">", after)
        .where("onlineUntil", "<=", until)
        .execute();
    },

    /**
     * Records that this server runs, and completes what an ended server left.
     * When no server was seen for `aliveMs`, devices could not report, so devices that were online then count as online for
     * another full interval. Connections of servers that are no longer seen are removed.
     * @param alone no other server can use this database, so any server seen before has ended
     * @param offlineAfterS seconds without a message after which each kind is offline
     * @returns for how many ms no server ran, 0 when one did; and whether a server ended whose work must be taken over, which
     * is told to one server only
     */
    async keepWatch(
      serverId: string,
      {
        aliveMs,
        alone,
        offlineAfterS,
      }: { aliveMs: number; alone: boolean; offlineAfterS: ReadonlyMap<string, number> },
    ): Promise<{ unwatchedMs: number; lostServer: boolean }> {
      return db.transaction().execute(async (transaction) => {
        // Serialized, so that servers that start together don't all find that none was running.
        await sql`select pg_advisory_xact_lock(hashtext('keep watch'))`.execute(transaction);
        const { rows } = await sql<{ seenAt: Date | null; awayMs: number | null }>`
          select max(seen_at) as seen_at, (extract(epoch from clock_timestamp() - max(seen_at)) * 1000)::float8 as away_ms
            from servers`.execute(transaction);
        const seenAt = rows[0]?.seenAt ?? null;
        const awayMs = rows[0]?.awayMs ?? 0;
        await sql`insert into servers (id, seen_at) values (${serverId}, clock_timestamp())
          on conflict (id) do update set seen_at = excluded.seen_at, taken_over = false`.execute(transaction);
        const lost = await sql`update servers set taken_over = true
          where not taken_over and id <> ${serverId}
            and (${alone} or seen_at <= clock_timestamp() - make_interval(secs => ${aliveMs / 1000}))`.execute(
          transaction,
        );
        const absent = seenAt !== null && (alone || awayMs > aliveMs);
        // States are locked in the same order as by `store`.
        const inOrder = await lockInOrder("s");
        if (absent) {
          const seconds = JSON.stringify(Object.fromEntries(offlineAfterS));
          await sql`with silenced as materialized (
              select s.device_id, statement_timestamp() + make_interval(secs => (${seconds}::jsonb ->> d.kind)::float8) as until
                from device_states s join devices d on d.id = s.device_id
               where s.online_until >= ${seenAt} and ${seconds}::jsonb ? d.kind ${inOrder})
            update device_states s set online_until = greatest(s.online_until, silenced.until)
              from silenced where s.device_id = silenced.device_id`.execute(transaction);
        }
        const { rows: alive } = await sql<{ id: string }>`
          select id from servers where id = ${serverId}
              or (not ${alone} and seen_at > clock_timestamp() - make_interval(secs => ${aliveMs / 1000}))`.execute(
          transaction,
        );
        const isAway = sql`connected and (connection_server is null or connection_server <> all(${alive.map(({ id }) => id)}::text[]))`;
        // The condition stands twice, because a device may have come back before its row is locked.
        await sql`with ended as materialized (select s.device_id from device_states s where ${isAway} ${inOrder})
          update device_states s set connected = false, connection_server = null, connection_changed_at = now()
            from ended where s.device_id = ended.device_id and ${isAway}`.execute(transaction);
        await sql`delete from servers where seen_at < now() - interval '1 day'`.execute(transaction);
        return { unwatchedMs: absent ? awayMs : 0, lostServer: (lost.numAffectedRows ?? 0n) > 0n };
      });
    },

    /**
     * Records which devices are connected to this server; devices that no longer exist are skipped.
     * @returns the changes, and whether each device is online
     */
    async setConnections(
      serverId: string,
      changes: readonly { deviceId: string; connected: boolean }[],
    ): Promise<{ deviceId: string; connected: boolean; online: boolean }[]> {
      // Sorted explicitly in the order of `store`, because a join returns devices in any order.
      const { rows } = await sql<{ deviceId: string; connected: boolean; onlineUntil: Date | null }>`
        insert into device_states as held (device_id, connected, connection_server, connection_changed_at)
        select r.device_id, r.connected, case when r.connected then ${serverId}::text end, now()
          from unnest(${listOf(changes.map((change) => change.deviceId))}::bigint[],
                      ${listOf(changes.map((change) => (change.connected ? "t" : "f")))}::boolean[]) as r (device_id, connected)
         where exists (select from devices d where d.id = r.device_id)
         order by r.device_id::text collate "C"
        on conflict (device_id) do update set
          connected = excluded.connected,
          connection_server = excluded.connection_server,
          connection_changed_at = excluded.connection_changed_at
          -- A device that moved to another server is not disconnected by the end of its old connection here.
          where excluded.connected or held.connection_server is null
             or held.connection_server = ${sql.lit(serverId)}
        returning device_id, connected, online_until`.execute(db);
      return rows.map(({ onlineUntil, ...row }) => ({
        ...row,
        online: onlineUntil !== null && onlineUntil > new Date(),
      }));
    },

    /** Removes this server's connections when it stops. */
    async endConnections(serverId: string): Promise<void> {
      await sql`update device_states set connected = false, connection_server = null, connection_changed_at = now()
        where connected and connection_server = ${serverId}`.execute(db);
    },
  };
}
export type TelemetryRepository = ReturnType<typeof telemetryRepository>;
