import { afterEach, expect, test, vi } from "vitest";
import { createDownlinks } from "../commands/index.ts";
import type { KnownDevice } from "../devices/index.ts";
import { Dropped } from "./telemetry.parse.ts";
import { createUplink, type Uplink, type UplinkDependencies } from "./uplink.service.ts";

const device: KnownDevice = {
  id: "1",
  tenantId: "900001",
  kind: "environment",
  serialNumber: "T-1",
  tokenHash: Buffer.from("good"),
  isGateway: false,
  mayCreateChildren: false,
};
const opened: Uplink[] = [];
afterEach(async () => {
  for (const uplink of opened.splice(0)) await uplink.stop();
});

function openUplink(
  dependencies: Partial<UplinkDependencies> = {},
  repository: Partial<UplinkDependencies["repository"]> = {},
) {
  const outcomes: string[] = [];
  const dropped: { reason: string; messages: number }[] = [];
  const uplink = createUplink({
    devices: {
      byAccessToken: async (token) => (token === "good" ? device : undefined),
      changedSince: async () => [],
      activate: async () => undefined,
      byLogin: async () => undefined,
      attributes: async () => ({ client: { a: 1, b: 2 }, shared: { c: 3 } }),
      mergeAttributes: async () => true,
    },
    gateways: { children: async () => new Map() },
    claims: { offer: async () => undefined },
    provisioning: { provision: async () => ({ status: "FAILURE", provisionDeviceStatus: "FAILURE" }) },
    firmware: { chunk: async () => undefined, reported: async () => undefined },
    downstream: { links: createDownlinks(), answer: async () => false, reported: async () => undefined },
    ingest: { store: async () => [] },
    repository: {
      insertEvents: async () => undefined,
      setConnections: async (_server, rows) => rows.map((row) => ({ ...row, online: false })),
      endConnections: async () => undefined,
      addRejected: async () => undefined,
      addDropped: async (rows) => {
        for (const { reason, messages } of rows) dropped.push({ reason, messages });
      },
      ...repository,
    },
    serverId: "test",
    now: Date.now,
    onPresence: () => undefined,
    onMessage: (outcome) => outcomes.push(outcome),
    onError: () => undefined,
    ...dependencies,
  });
  opened.push(uplink);
  return { uplink, outcomes, dropped };
}

test("a burst of 9,000 messages is taken, what goes beyond it is too fast, and the budget fills again", async () => {
  let at = 1_000_000;
  const { uplink, outcomes, dropped } = openUplink({ now: () => at });
  const send = () => uplink.telemetry(device, '{"a":1}');
  for (let n = 0; n < 9000; n += 1) expect(await send()).toBeUndefined();
  expect(await send()).toBe("too_fast");
  // A clock that goes back takes nothing from the budget.
  at -= 60_000;
  expect(await send()).toBe("too_fast");
  at += 1000;
  expect(await send()).toBeUndefined();
  expect(outcomes.filter((outcome) => outcome === "too_fast")).toHaveLength(2);
  await uplink.stop();
  expect(dropped).toEqual([{ reason: "too_fast", messages: 2 }]);
});

test("a message that can't be stored is dropped and counted; a fault is told to the transport", async () => {
  const { uplink } = openUplink(
    { ingest: { store: () => Promise.reject(new Dropped("not_storable")) } },
    {
      insertEvents: () => Promise.reject(Object.assign(new Error("invalid byte sequence"), { code: "22P05" })),
    },
  );
  expect(await uplink.telemetry(device, '{"a":1}')).toBe("not_storable");
  expect(await uplink.events(device, '{"type":"shot","id":"1"}')).toBe("not_storable");
  const away = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  const broken = openUplink({ ingest: { store: () => Promise.reject(away) } }).uplink;
  await expect(broken.telemetry(device, '{"a":1}')).rejects.toBe(away);
});

test("counted drops survive a database that is away", async () => {
  let isAway = true;
  const written: number[] = [];
  const { uplink } = openUplink(
    {},
    {
      addRejected: async () => undefined,
      addDropped: async (rows) => {
        if (isAway) {
          isAway = false;
          throw new Error("away");
        }
        written.push(...rows.map(({ messages }) => messages));
      },
    },
  );
  for (let n = 0; n < 3; n += 1) await uplink.telemetry(device, "{");
  await uplink.stop();
  await uplink.telemetry(device, "{");
  await uplink.stop();
  expect(written).toEqual([4]);
});

test("a storm of log-ins asks once; an unknown token soon again; a database that is away at once again", async () => {
  let at = 0;
  let asked = 0;
  let isAway = false;
  const { uplink } = openUplink({
    now: () => at,
    devices: {
      byAccessToken: async (token) => {
        asked += 1;
        if (isAway) throw new Error("away");
        return token === "good" ? device : undefined;
      },
      changedSince: async () => [],
      activate: async () => undefined,
      byLogin: async () => undefined,
      attributes: async () => ({ client: {}, shared: {} }),
      mergeAttributes: async () => true,
    },
  });
  const found = await Promise.all(Array.from({ length: 500 }, () => uplink.authenticate("good", undefined)));
  expect(found.every((each) => each === device)).toBe(true);
  expect(asked).toBe(1);
  expect(await uplink.authenticate("bad", undefined)).toBeUndefined();
  expect(await uplink.authenticate("bad", undefined)).toBeUndefined();
  expect(asked).toBe(2);
  at = 5001;
  expect(await uplink.authenticate("bad", undefined)).toBeUndefined();
  expect(asked).toBe(3);
  isAway = true;
  await expect(uplink.authenticate("new", undefined)).rejects.toThrow("away");
  isAway = false;
  expect(await uplink.authenticate("new", undefined)).toBeUndefined();
});

const line = { close: () => undefined };

test("a token that is looked up while its device changes is looked up again", async () => {
  const release: (() => void)[] = [];
  let replaced = false;
  const { uplink } = openUplink({
    devices: {
      byAccessToken: async () => {
        const found = replaced ? undefined : device;
        await new Promise<void>((resolve) => release.push(resolve));
        return found;
      },
      changedSince: async () => [],
      activate: async () => undefined,
      byLogin: async () => undefined,
      attributes: async () => ({ client: {}, shared: {} }),
      mergeAttributes: async () => true,
    },
  });
  const answer = uplink.authenticate("good", undefined);
  // Read before the change, reported after it.
  replaced = true;
  uplink.changed(device.id);
  release.shift()?.();
  await vi.waitFor(() => expect(release).toHaveLength(1));
  release.shift()?.();
  expect(await answer).toBeUndefined();
});

test("a connection that is just being opened when its device changes is closed", async () => {
  const { uplink } = openUplink();
  const known = await uplink.authenticate("good", undefined);
  if (known === undefined) throw new Error("not known");
  uplink.changed(known.id);
  let closed = 0;
  uplink.opened(known, { close: () => (closed += 1) });
  expect(closed).toBe(1);
});

test("connections of a changed device close, those of others stay; a changed row is found without the event, too", async () => {
  const second: KnownDevice = { ...device, id: "2", tokenHash: Buffer.from("second") };
  let rows: string[] = [];
  const { uplink } = openUplink({
    devices: {
      byAccessToken: async (token) => (token === "good" ? device : second),
      changedSince: async (known) => known.map(({ id }) => id).filter((id) => rows.includes(id)),
      activate: async () => undefined,
      byLogin: async () => undefined,
      attributes: async () => ({ client: {}, shared: {} }),
      mergeAttributes: async () => true,
    },
  });
  const closed: string[] = [];
  for (const [name, of] of [
    ["a", device],
    ["b", device],
    ["c", second],
  ] as const) {
    const connection = {
      close: () => {
        closed.push(name);
        uplink.closed(of, connection);
      },
    };
    uplink.opened(of, connection);
  }
  uplink.changed(device.id);
  expect(closed).toEqual(["a", "b"]);
  await uplink.checkConnections();
  expect(closed).toEqual(["a", "b"]);
  rows = ["2"];
  await uplink.checkConnections();
  expect(closed).toEqual(["a", "b", "c"]);
  expect([uplink.isConnected("1"), uplink.isConnected("2")]).toEqual([false, false]);
});

test("a device that comes and goes while the database is slow ends as it is", async () => {
  const written: boolean[] = [];
  const release: (() => void)[] = [];
  const told: boolean[] = [];
  const { uplink } = openUplink(
    { onPresence: (_id, connected) => told.push(connected) },
    {
      setConnections: async (_server, rows) => {
        written.push(...rows.map(({ connected }) => connected));
        await new Promise<void>((resolve) => release.push(resolve));
        return rows.map((row) => ({ ...row, online: false }));
      },
    },
  );
  uplink.opened(device, line);
  for (let n = 0; n < 50; n += 1) {
    uplink.opened(device, line);
    uplink.closed(device, line);
  }
  uplink.closed(device, line);
  uplink.opened(device, line);
  uplink.closed(device, line);
  expect(written).toEqual([true]);
  release.shift()?.();
  await vi.waitFor(() => expect(written).toEqual([true, false]));
  release.shift()?.();
  await vi.waitFor(() => expect(told).toEqual([true, false]));
  expect(uplink.isConnected(device.id)).toBe(false);
});

test("attribute requests answer what was asked for", async () => {
  const { uplink } = openUplink();
  expect(await uplink.requestAttributes(device, {})).toEqual({ client: { a: 1, b: 2 }, shared: { c: 3 } });
  expect(await uplink.requestAttributes(device, { clientKeys: "a, x" })).toEqual({ client: { a: 1 } });
  expect(await uplink.requestAttributes(device, { sharedKeys: "c" })).toEqual({ shared: { c: 3 } });
});

test("readings are judged by the kind of the device, in messages of its own and of its gateway", async () => {
  const stored: unknown[] = [];
  const { uplink } = openUplink({
    ingest: {
      store: async (_device, rows) => {
        stored.push(...rows.map(({ values, rejected }) => ({ values, rejected })));
        return [];
      },
    },
  });
  const sent = { t_in: "36,5", rh: 60, nh3: -1 };
  await uplink.telemetry(device, JSON.stringify(sent));
  await uplink.telemetryOf(device, sent);
  const rejected = { t_in: { reason: "type", text: '"36,5"' }, nh3: { reason: "range", text: "-1" } };
  expect(stored).toEqual(Array.from({ length: 2 }, () => ({ values: { rh: 60 }, rejected })));
});
