import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { insertDevices } from "../../../../tests/faults/devices.ts";
import { createOnNodes } from "../../../../tests/harness/citus.ts";
import { dropDatabase, urlOf } from "../../../../tests/harness/database.ts";
import { telemetryRepository } from "../modules/telemetry/index.ts";
import { partitionRepository } from "../modules/telemetry/partition.repository.ts";
import { systemScope } from "../tenant-scope.ts";
import { type Database, openDatabase } from "./connection.ts";
import {
  DistributionError,
  distribute,
  distributedTables,
  distributionFaults,
  distributionStatus,
} from "./distribution.ts";
import { silentLog } from "./log.ts";
import { migrate, migrationsFolder } from "./migrate.ts";

const system = systemScope("a test of the distribution");
const server = inject("testServer");
const name = `herdwise_test_living_${process.pid}`;
const day = "2026-12-01";
const atUs = Date.parse(`${day}T10:00:00Z`) * 1000;

let database: Database;
let devices: Awaited<ReturnType<typeof insertDevices>>;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;
const distributeIt = async () => {
  const client = await database.pool.connect();
  try {
    return await distribute(client, { shards: 4, pending: [] });
  } finally {
    client.release();
  }
};
const faultsOf = async () => {
  const client = await database.pool.connect();
  try {
    return await distributionFaults(client);
  } finally {
    client.release();
  }
};
const store = async (offsetUs: number) => {
  const repository = telemetryRepository(database, system);
  const ids = devices.map(({ id }) => id);
  const numbers = new Map([["t_in", 0]]);
  await repository.addKeys(ids.map((deviceId) => ({ deviceId, keys: ["t_in"] })));
  const rows = [{ at: atUs + offsetUs, values: { t_in: 21.4 }, clockSkew: false }];
  await repository.store(
    ids.map((deviceId) => ({ deviceId, rows, numbers })),
    ids.map((deviceId) => ({
      deviceId,
      readings: { t_in: { value: 21.4, ts: (atUs + offsetUs) / 1000 } },
      oldestAt: atUs + offsetUs,
      newestAt: atUs + offsetUs,
      onlineUntil: atUs / 1000,
    })),
  );
};

beforeAll(async () => {
  await dropDatabase(server.nodes, name);
  await createOnNodes(server.url, name);
  database = openDatabase({
    url: urlOf(server.url, name),
    poolSize: 3,
    applicationName: "herdwise-test",
    log: silentLog,
  });
  await migrate(database, silentLog);
  devices = await insertDevices({ url: urlOf(server.url, name), database, drop: async () => undefined }, 12);
  await partitionRepository(database.kysely, system).create("telemetry", { from: day, to: "2026-12-02" });
  await store(0);
});
afterAll(async () => {
  await database.close();
  await dropDatabase(server.nodes, name);
});

test("what stands in the way is said, and nothing is changed", async () => {
  await query("create unique index wrong on device_events (event_id)");
  await expect(distributeIt()).rejects.toThrow(
    new DistributionError("wrong of device_events is unique without device_id"),
  );
  expect(await query("select from pg_trigger where tgname = 'devices_distributed_rows'")).toEqual([]);
  expect(await faultsOf()).toEqual(["Nothing is distributed: npm run cluster -- distribute"]);
  await query("drop index wrong");
});

test("a living database is distributed with all its rows, and once is enough", async () => {
  const done = await distributeIt();
  expect(done.map(({ table }) => table)).toEqual([...distributedTables]);
  expect(done.find(({ table }) => table === "telemetry")?.rows).toBe(devices.length);
  expect(await faultsOf()).toEqual([]);
  // Rows lie on both workers, and no copy of them stays on the coordinator.
  const client = await database.pool.connect();
  const status = await distributionStatus(client).finally(() => client.release());
  expect(status.map(({ shards, nodes }) => [shards, nodes.length])).toEqual(distributedTables.map(() => [4, 2]));
  const [left] = await query<{ size: string }>("select pg_table_size('telemetry_20261201')::text as size");
  expect(left?.size).toBe("8192");
  expect(await distributeIt()).toEqual([]);
});

test("rows are stored as before, and one of a removed device is refused as by a foreign key", async () => {
  await store(1_000_000);
  const values = await query("select readings from telemetry_values where device_id = $1 order by ts", [
    devices[0]?.id,
  ]);
  expect(values).toEqual([{ readings: { t_in: 21.4 } }, { readings: { t_in: 21.4 } }]);
  const [gone] = devices.splice(-1);
  await query("delete from devices where id = $1", [gone?.id]);
  for (const table of ["device_states", "device_readings", "telemetry_keys"])
    expect(await query(`select from ${table} where device_id = $1`, [gone?.id])).toEqual([]);
  expect(await faultsOf()).toEqual([]);
  const kept = devices;
  devices = [...kept, ...(gone ? [gone] : [])];
  await expect(store(2_000_000)).rejects.toMatchObject({ code: "23503" });
  devices = kept;
  expect(
    await query("select from telemetry where ts = timestamptz 'epoch' + $1::bigint * interval '1 microsecond'", [
      atUs + 2_000_000,
    ]),
  ).toEqual([]);
});

test("a migration after the distribution reaches the shards", async () => {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-migrations-"));
  try {
    const applied = await query<{ name: string }>("select name from schema_migrations");
    await cp(migrationsFolder, folder, { recursive: true });
    await writeFile(
      join(folder, "9990_states_note.sql"),
      `alter table device_states add column note text not null default 'none';
       create index device_states_note_idx on device_states (note);
       create or replace function readings_tell_fault(readings jsonb) returns boolean language sql immutable
         return coalesce(readings -> 'state' ->> 'value' = 'fault', false);`,
    );
    expect(await migrate(database, silentLog, folder)).toEqual(["9990_states_note.sql"]);
    expect(applied.length).toBeGreaterThan(100);
    expect(await query("select distinct note from device_states")).toEqual([{ note: "none" }]);
    await store(3_000_000);
    expect(await faultsOf()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a dropped trigger, a view of a single database, a foreign partition and a row without a device are found", async () => {
  await query("drop trigger devices_distributed_rows on devices");
  expect(await faultsOf()).toEqual(["Rows of a removed device would stay: the trigger on devices is missing"]);
  await distributeIt();
  const migration = await readFile(join(migrationsFolder, "0755_states_of_vaccinations.sql"), "utf8");
  await query(migration.slice(migration.indexOf("create view")).replace("create view", "create or replace view"));
  expect(await faultsOf()).toEqual([expect.stringContaining("vaccination_plan_rows")]);
  await distributeIt();
  await query("insert into device_states (device_id) values (1)");
  expect(await faultsOf()).toEqual(["device_states has rows of 1 devices that do not exist"]);
  await query("delete from device_states where device_id = 1");
  expect(await faultsOf()).toEqual([]);
});
