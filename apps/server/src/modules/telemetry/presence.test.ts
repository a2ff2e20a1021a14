import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase, workers } from "../../../../../tests/harness/database.ts";
import { type BusMessages, memoryBus } from "../../providers/bus.ts";
import { systemScope } from "../../tenant-scope.ts";
import { createPresence } from "./presence.service.ts";
import { type TelemetryRepository, telemetryRepository } from "./telemetry.repository.ts";

const intervalS = 300;
const offlineAfterS = new Map([["environment", intervalS]]);

let test_: TestDatabase;
let repository: TelemetryRepository;
let device: InsertedDevice;

beforeAll(async () => {
  test_ = await createTestDatabase();
  repository = telemetryRepository(test_.database, systemScope("a test of what devices send"));
});
beforeEach(async () => {
  await test_.database.pool.query(
    "delete from servers; update device_states set online_until = null, connected = false",
  );
  [device] = (await insertDevices(test_, 1)) as [InsertedDevice];
});
afterAll(() => test_.drop());

/** A server that uses the test's clock. */
function openServer({ alone = false, clock = { at: Date.now() } } = {}) {
  const takenOver = vi.fn(async () => undefined);
  const bus = memoryBus();
  const heard: BusMessages["presence"][] = [];
  bus.subscribe("presence", (message) => heard.push(message));
  const faults: unknown[] = [];
  const serverId = `test/${randomUUID()}`;
  const presence = createPresence({
    repository,
    bus,
    serverId,
    alone,
    offlineAfterS,
    now: () => clock.at,
    isConnected: () => true,
    onLostServer: takenOver,
    onError: (error) => faults.push(error),
  });
  return { presence, heard, clock, serverId, faults, takenOver };
}

const setState = (fields: { onlineUntil?: Date; connectedTo?: string }) =>
  test_.database.pool.query(
    `insert into device_states (device_id, online_until, connected, connection_server) values ($1, $2, $3, $4)
     on conflict (device_id) do update set online_until = $2, connected = $3, connection_server = $4`,
    [device.id, fields.onlineUntil ?? null, fields.connectedTo !== undefined, fields.connectedTo ?? null],
  );
const stateOf = async () => {
  const { rows } = await test_.database.pool.query<{ online_until: Date; connected: boolean; online: boolean }>(
    "select online_until, connected, online_until > now() as online from device_states where device_id = $1",
    [device.id],
  );
  return rows[0];
};
const seen = (serverId: string, secondsAgo: number) =>
  test_.database.pool.query("insert into servers (id, seen_at) values ($1, now() - make_interval(secs => $2))", [
    serverId,
    secondsAgo,
  ]);

test("online with the first telemetry, told once; offline when the kind's limit has passed, told once", async () => {
  const { presence, heard, clock } = openServer();
  await setState({ onlineUntil: new Date(clock.at + intervalS * 1000) });
  presence.reported(device.id, clock.at + intervalS * 1000);
  presence.reported(device.id, clock.at + intervalS * 1000);
  expect(heard).toEqual([{ deviceId: device.id, status: "online", connected: true }]);
  clock.at += intervalS * 1000 - 1;
  await presence.watch();
  expect(heard).toHaveLength(1);
  clock.at += 2;
  await presence.watch();
  await presence.watch();
  expect(heard.slice(1)).toEqual([{ deviceId: device.id, status: "offline", connected: false }]);
  presence.reported(device.id, clock.at + intervalS * 1000);
  expect(heard.at(-1)?.status).toBe("online");
});

test("a connection makes nobody online, and its end nobody offline", async () => {
  const { presence, heard } = openServer();
  presence.connection(device.id, true, false);
  presence.connection(device.id, false, true);
  expect(heard.map(({ status }) => status)).toEqual(["offline", "online"]);
});

test("what a device sends late does not make it online", () => {
  const { presence, heard, clock } = openServer();
  presence.reported(device.id, clock.at - 1);
  expect(heard).toEqual([]);
});

test.each([
  ["after an hour without any server", { alone: false, awayS: 3600 }],
  ["after a quick restart of the only server", { alone: true, awayS: 3 }],
])("%s, who was online gets a full interval, and who was offline stays it", async (_name, { alone, awayS }) => {
  const now = Date.now();
  await seen("test/dead", awayS);
  await setState({ onlineUntil: new Date(now - awayS * 1000 + 1000) });
  const first = openServer({ alone });
  await first.presence.start();
  await first.presence.stop();
  expect((await stateOf())?.online_until.getTime()).toBeGreaterThan(now + intervalS * 1000 - 1000);
  await first.presence.watch();
  expect(first.heard).toEqual([]);

  await test_.database.pool.query("delete from servers");
  await seen("test/dead", awayS);
  await setState({ onlineUntil: new Date(now - awayS * 1000 - 1000) });
  const second = openServer({ alone });
  await second.presence.start();
  await second.presence.stop();
  expect((await stateOf())?.online).toBe(false);
});

test("while another server keeps watch a start forgives nothing", async () => {
  await seen("test/other", 2);
  const until = new Date(Date.now() + 1000);
  await setState({ onlineUntil: until });
  const { presence } = openServer();
  await presence.start();
  await presence.stop();
  expect((await stateOf())?.online_until.getTime()).toBe(until.getTime());
});

test("after an absence of the database its devices are not called silent before they could report", async () => {
  const { presence, heard, clock } = openServer();
  await presence.start();
  await setState({ onlineUntil: new Date(clock.at + 5000) });
  // The database was unavailable for a minute, so no server was seen.
  await test_.database.pool.query("update servers set seen_at = now() - interval '1 minute'");
  await setState({ onlineUntil: new Date(Date.now() - 10_000) });
  clock.at += 60_000;
  await presence.watch();
  expect(heard).toEqual([]);
  expect((await stateOf())?.online).toBe(true);
  await presence.stop();
});

test("connections of a server that died are over: at once when it was the only one, else when it is missed", async () => {
  await seen("test/dead", 3);
  await setState({ connectedTo: "test/dead" });
  const beside = openServer();
  await beside.presence.start();
  expect((await stateOf())?.connected).toBe(true);
  await test_.database.pool.query("update servers set seen_at = now() - interval '30 seconds' where id = 'test/dead'");
  beside.clock.at += 5001;
  await beside.presence.watch();
  expect((await stateOf())?.connected).toBe(false);
  await beside.presence.stop();

  await seen("test/dead-2", 1);
  await setState({ connectedTo: "test/dead-2" });
  const only = openServer({ alone: true });
  await only.presence.start();
  expect((await stateOf())?.connected).toBe(false);
  await only.presence.stop();
});

test("the end of an old connection does not end the newer one at another server", async () => {
  await repository.setConnections("one", [{ deviceId: device.id, connected: true }]);
  await repository.setConnections("two", [{ deviceId: device.id, connected: true }]);
  expect(await repository.setConnections("one", [{ deviceId: device.id, connected: false }])).toEqual([]);
  expect((await stateOf())?.connected).toBe(true);
  await repository.endConnections("one");
  expect((await stateOf())?.connected).toBe(true);
  await repository.endConnections("two");
  expect((await stateOf())?.connected).toBe(false);
});

test("what a dead server had in hand is taken over by one of the others, once for each death, and again after a fault", async () => {
  const servers = [openServer(), openServer()];
  const all = async () => {
    for (const { clock } of servers) clock.at += 5001;
    await Promise.all(servers.map(({ presence }) => presence.watch().catch(() => undefined)));
  };
  const told = () => servers.reduce((sum, { takenOver }) => sum + takenOver.mock.calls.length, 0);
  await seen("test/living", -3600);
  await all();
  expect(told()).toBe(0);
  let faults = 1;
  for (const { takenOver } of servers)
    takenOver.mockImplementation(async () => {
      faults -= 1;
      if (faults >= 0) throw new Error("the database is away");
    });
  await seen("test/dead", 21);
  await all();
  expect(told()).toBe(1);
  await all();
  await all();
  expect(told()).toBe(2);
  // The server came back, and ended again.
  const heartbeat = openServer();
  await repository.keepWatch("test/dead", { aliveMs: 20_000, alone: false, offlineAfterS });
  await heartbeat.presence.watch();
  expect(told()).toBe(2);
  await test_.database.pool.query("update servers set seen_at = now() - interval '21 seconds' where id = 'test/dead'");
  await all();
  await all();
  expect([told(), heartbeat.takenOver.mock.calls.length]).toEqual([3, 0]);
});

// Over nodes rows of several shards have no common order, and the database ends a deadlock.
test.skipIf(workers() > 0)(
  "states are taken in the order of their devices, however the database joins them, so that nobody waits in a circle",
  async () => {
    const devices = await insertDevices(test_, 3000);
    const chosen = devices.slice(0, 50).map(({ id }) => id);
    // The order of the table differs from that of the ids.
    for (const id of chosen.toReversed())
      await test_.database.pool.query("update devices set name = name || '' where id = $1", [id]);
    await test_.database.pool.query("analyze devices");
    const joins = ["nestloop", "hashjoin", "mergejoin"];
    for (const used of joins) {
      const told = await test_.database.kysely.transaction().execute(async (transaction) => {
        for (const join of joins.filter((join) => join !== used))
          await sql`select set_config(${`enable_${join}`}, 'off', true)`.execute(transaction);
        const database = { ...test_.database, kysely: transaction };
        return telemetryRepository(database, systemScope("a test of what devices send")).setConnections(
          "test/order",
          chosen.map((deviceId) => ({ deviceId, connected: true })),
        );
      });
      expect(told.map(({ deviceId }) => deviceId)).toEqual(chosen.toSorted((a, b) => (a < b ? -1 : 1)));
    }
  },
);
