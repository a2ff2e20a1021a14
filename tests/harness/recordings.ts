/** Recordings of devices for tests that replay them in several orders. */
import type { DeviceKindId } from "@herdwise/contract";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import type { TestDatabase } from "./database.ts";

/** A number from 0 to 1 that depends on nothing but the seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Message {
  atMs: number;
  values: Record<string, number | boolean | string>;
}

/** When each message arrives: late by less than two reports, some of them twice. */
export function scattered<Sent extends { atMs: number }>(
  messages: readonly Sent[],
  seed: number,
): { arrivesMs: number; message: Sent }[] {
  const next = random(seed);
  return messages
    .flatMap((message) => {
      const arrivals = [message.atMs + next() * 118_000];
      if (next() < 0.2) arrivals.push(message.atMs + next() * 118_000);
      return arrivals.map((arrivesMs) => ({ arrivesMs, message }));
    })
    .toSorted((a, b) => a.arrivesMs - b.arrivesMs);
}

/** A device that a farm has, changed long ago: one that was just changed is taken up anew by itself. */
export async function boundDevice(
  db: TestDatabase,
  nextId: () => string,
  kind?: DeviceKindId,
): Promise<InsertedDevice> {
  const [device] = (await insertDevices(db, 1, kind)) as [InsertedDevice];
  const farmId = nextId();
  await db.database.pool.query(
    "insert into farms (id, tenant_id, code, name, type) values ($1::bigint, '900001', $1::bigint::text, 'farm ' || $1::bigint::text, 'commercial')",
    [farmId],
  );
  await db.database.pool.query(
    "update devices set farm_id = $2::bigint, bound_at = now(), updated_at = '2020-01-01' where id = $1",
    [device.id, farmId],
  );
  return device;
}

/** Alarms of a device with their times. @param ruleId of one rule alone */
export async function logOf(db: TestDatabase, device: InsertedDevice, ruleId?: string): Promise<string[]> {
  const { rows } = await db.database.pool.query<Record<string, string>>(
    `select rule_id, severity, to_char(raised_at, 'HH24:MI:SS.MS') as raised, to_char(ended_at, 'HH24:MI:SS.MS') as ended
       from alarms where device_id = $1 and not withdrawn and not late and ($2::text is null or rule_id = $2) order by raised_at, rule_id`,
    [device.id, ruleId],
  );
  return rows.map(({ rule_id, severity, raised, ended }) => `${rule_id} ${severity} ${raised} ${ended ?? "open"}`);
}
