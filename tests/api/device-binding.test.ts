import type {
  DeviceDetail,
  DeviceLabel,
  FarmNode,
  FreshDevice,
  HistoryReply,
  Page,
  UnbindEffects,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoStock, seedDemoStock } from "../../apps/server/src/database/seeds/demo-stock.ts";
import { auditRepository } from "../../apps/server/src/modules/audit/index.ts";
import { bindingRepository } from "../../apps/server/src/modules/devices/binding.repository.ts";
import { createBindingService } from "../../apps/server/src/modules/devices/binding.service.ts";
import { claimRepository } from "../../apps/server/src/modules/devices/claim.repository.ts";
import { tenantScopeOf } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { memoryBench } from "../harness/redis.ts";

let app: TestApp;
let admin: string;
/** Owners of two customers with a farm each. */
let first: string;
let second: string;
let places: { first: { farmId: string; houseId: string; unitId: string }; second: { farmId: string } };

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = async <Data = { reason?: string }>(path: string, body: unknown, token: string) => {
  const answer = await app.call({ method: "POST", path: `/api/muyuan-iot/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const get = async <Data>(path: string, token: string) => {
  const answer = await app.get<Data>(`/api/muyuan-iot/${path}`, token);
  return { status: answer.status, data: answer.body.data };
};

beforeAll(async () => {
  app = await createTestApp();
  [admin, first, second] = await Promise.all([app.logIn("admin"), app.logIn("farm"), app.logIn("worker")]);
  await query(
    `insert into role_menus select r.id, m.id from roles r, menus m
      where m.code in ('device_claim', 'device_view') and r.tenant_id in (
        select s.tenant_id from memberships s join accounts a on a.id = s.account_id where a.account = 'worker')
     on conflict do nothing`,
  );
  const farms = (await app.get<FarmNode[]>("/api/muyuan-farm/tree/list", first)).body.data;
  const farm = farms.find(({ houses }) => houses.some(({ units }) => units.length > 0)) as FarmNode;
  const house = farm.houses.find(({ units }) => units.length > 0);
  const others = (await app.get<FarmNode[]>("/api/muyuan-farm/tree/list", second)).body.data;
  places = {
    first: { farmId: farm.id, houseId: house?.id ?? "", unitId: house?.units[0]?.id ?? "" },
    second: { farmId: others[0]?.id ?? "" },
  };
});
afterAll(() => app.close());
// Tries are counted by the hour; the clock of the counts goes on instead of the tests waiting.
beforeEach(() => app.pass(86_401));

let made = 0;
/** Registers a device with a label and a token. */
async function registered(
  tenantId = "000000",
): Promise<{ id: string; serialNumber: string; code: string; token: string }> {
  made += 1;
  const serialNumber = `BIND-${made}`;
  const body = { name: `环控 ${made}`, serialNumber, kind: "environment", tenantId };
  const { data: row } = await post<{ id: string }>("registry/submit", body, admin);
  const { data: labels } = await post<DeviceLabel[]>("device/labels", { ids: [row.id] }, admin);
  const { data: access } = await post<{ accessToken: string }>("device/token", { id: row.id }, admin);
  return { id: row.id, serialNumber, code: labels[0]?.code ?? "", token: access.accessToken };
}
const send = async (token: string, payload: object, path = "telemetry") =>
  (await app.http.inject({ method: "POST", url: `/api/v1/${token}/${path}`, payload })).statusCode;
const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("the demo's stock can be bound by the labels that are shown, each until somebody has it", async () => {
  await seedDemoStock(app.test.database.kysely, { cipher: app.personalCipher, nextId: app.nextId });
  const shown = async (token: string) =>
    (await get<{ serialNumber: string; code: string }[]>("device/demo-label/list", token)).data;
  const labels = await shown(first);
  expect(labels.map(({ serialNumber }) => serialNumber)).toEqual(demoStock.map(({ serialNumber }) => serialNumber));
  const [{ serialNumber, code } = { serialNumber: "", code: "" }] = labels;
  expect((await post("device/bind", { serialNumber, code, ...places.first }, first)).status).toBe(200);
  for (const token of [first, second]) expect(await shown(token)).toEqual(labels.slice(1));
  const plain = await createTestApp({ DEMO: "off" });
  try {
    await seedDemoStock(plain.test.database.kysely, { cipher: plain.personalCipher, nextId: plain.nextId });
    const token = await plain.logIn("farm");
    expect((await plain.get("/api/muyuan-iot/device/demo-label/list", token)).body.data).toEqual([]);
  } finally {
    await plain.close();
  }
});

describe("a label", () => {
  test("keeps its code until another is asked for; codes and tokens stand in no log, trail or list", async () => {
    const { id, code, token } = await registered();
    expect(code).toMatch(/^\d{6}$/);
    const again = await post<DeviceLabel[]>("device/labels", { ids: [id] }, admin);
    expect(again.data[0]?.code).toBe(code);
    const { data: renewed } = await post<DeviceLabel[]>("device/labels", { ids: [id], renew: true }, admin);
    expect(renewed[0]?.code).toMatch(/^\d{6}$/);
    const trail = await query("select * from audit_entries");
    const rows = await get<Page<object>>(`registry/page?ids=${id}`, admin);
    const told = JSON.stringify([
      trail,
      rows.data,
      await query("select * from devices where id = $1", [id]),
      app.logged,
    ]);
    expect(told).not.toContain(token);
    for (const secret of [code, renewed[0]?.code]) expect(told).not.toMatch(new RegExp(`\\b${secret}\\b`));
    // A customer's owner has no such right, whatever the device.
    expect((await post("device/labels", { ids: [id] }, first)).status).toBe(403);
  });
});

describe("binding", () => {
  test("a device is found by its label alone, bound to a place of the own, and comes alive by its first value", async () => {
    const { id, serialNumber, code, token } = await registered();
    for (const wrong of [
      { serialNumber, code: otherCode(code) },
      { serialNumber: "NO-SUCH", code },
    ]) {
      const answer = await post("device/look-up", wrong, first);
      expect([answer.status, answer.data.reason]).toEqual([400, "device.label"]);
    }
    const { data: seen } = await post("device/look-up", { serialNumber, code }, first);
    expect(seen).toMatchObject({ serialNumber, kind: "environment" });
    const foreign = await post("device/bind", { serialNumber, code, ...places.second }, first);
    expect(foreign.data.reason).toBe("device.place");
    const at = { ...places.first, positionX: 1200, positionY: 5000, heightCm: 160 };
    const bound = await post("device/bind", { serialNumber, code, ...at }, first);
    expect(bound).toMatchObject({ status: 200, data: { deviceId: id, bound: 1 } });
    // The label is used up: the same answer as for a wrong one.
    expect((await post("device/bind", { serialNumber, code, ...places.second }, second)).data.reason).toBe(
      "device.label",
    );
    const before = await get<DeviceDetail>(`registry/inspect?id=${id}`, first);
    expect(before.data).toMatchObject({ bound: true, status: "unactivated", positionX: 1200, heightCm: 160 });
    expect((await get(`registry/inspect?id=${id}`, second)).status).toBe(404);
    expect(await send(token, { t_in: 20.7 })).toBe(200);
    const after = await get<Record<string, { value: number }>>(`device/latest?id=${id}`, first);
    expect(after.data.t_in?.value).toBe(20.7);
  });

  test("a device that was delivered to a customer is bound by that customer alone", async () => {
    const { serialNumber, code } = await registered("100002");
    expect((await post("device/look-up", { serialNumber, code }, second)).data.reason).toBe("device.label");
    expect((await post("device/look-up", { serialNumber, code }, first)).status).toBe(200);
  });

  test("of two who bind at once one does, and a blocked device is bound by nobody", async () => {
    const { id, serialNumber, code } = await registered();
    await post("device/block", { id, blocked: true }, admin);
    expect((await post("device/look-up", { serialNumber, code }, first)).data.reason).toBe("device.label");
    await post("device/block", { id, blocked: false }, admin);
    const both = await Promise.all([
      post("device/bind", { serialNumber, code, ...places.first }, first),
      post("device/bind", { serialNumber, code, ...places.second }, second),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("10,000 wrong codes bind nothing: they are limited by account, serial number and address", async () => {
    const { serialNumber, code } = await registered();
    const { kysely } = app.test.database;
    const { store, close } = memoryBench();
    let asked = 0;
    const repository = bindingRepository(kysely);
    const service = createBindingService({
      repository: {
        ...repository,
        bindable(...given) {
          asked += 1;
          return repository.bindable(...given);
        },
      },
      places: claimRepository(kysely),
      withAudit: (work) =>
        kysely.transaction().execute((db) => work({ bindings: bindingRepository(db), audit: auditRepository(db) })),
      cipher: app.personalCipher,
      store,
      nextId: app.nextId,
      demoLabels: [],
      mayBind: async () => true,
      onChanged: () => undefined,
    });
    const scope = (account: number, address: string) =>
      tenantScopeOf({
        tenantId: "100002",
        accountId: String(account),
        everyTenant: false,
        rows: { all: true, departmentIds: [], own: false },
        membershipId: "1",
        departmentId: "",
        remoteAddress: address,
      });
    const tried = async (account: number, address: string, serial: string, at: number) => {
      // Never the right one, for which the test would prove nothing.
      const guess = String(at % 1_000_000).padStart(6, "0");
      return service.lookUp(scope(account, address), { serialNumber: serial, code: guess === code ? "x" : guess }).then(
        () => "found",
        (refusal: { reason: string }) => refusal.reason,
      );
    };
    const outcomes = new Map<string, number>();
    const count = async (attempt: Promise<string>) => {
      const outcome = await attempt;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    // One account at many devices; one address with many accounts; one device from everywhere.
    for (let at = 0; at < 3000; at += 1) await count(tried(1, `10.0.${at >> 8}.${at & 255}`, `S-${at}`, at));
    expect(outcomes.get("device.label")).toBe(20);
    for (let at = 0; at < 3000; at += 1) await count(tried(1000 + at, "10.9.9.9", `T-${at}`, at));
    expect(outcomes.get("device.label")).toBe(20 + 120);
    for (let at = 0; at < 4000; at += 1) await count(tried(9000 + at, `11.0.${at >> 8}.${at & 255}`, serialNumber, at));
    expect(Object.fromEntries(outcomes)).toEqual({ "device.label": 160, "rate.spent": 9840 });
    expect(asked).toBe(160);
    // Spent tries hold the right code off, too.
    const right = await service.lookUp(scope(2, "12.0.0.1"), { serialNumber, code }).then(
      () => "found",
      (refusal: { reason: string }) => refusal.reason,
    );
    expect(right).toBe("rate.spent");
    expect(
      await query("select from devices where serial_number = $1 and bound_at is not null", [serialNumber]),
    ).toEqual([]);
    await close();
  });
});

describe("unbinding", () => {
  test("says what it ends, ends it, and the next owner finds nothing of the former one", async () => {
    const { id, serialNumber, code, token } = await registered();
    await post("device/bind", { serialNumber, code, ...places.first }, first);
    await post("registry/submit", { id, name: "甲方的秘密名字" }, first);
    const past = Date.now() - 3 * 3_600_000;
    await send(token, { ts: past, values: { t_in: 11.1, secret_key: 7 } });
    await send(token, { t_in: 12.2 });
    await send(token, { ts: past, type: "gear_change", id: "e1", from: 1, to: 2 }, "events");
    await send(token, { owner: "甲方" }, "attributes");
    await post("parameter/submit", { deviceId: id, values: { t_target: 24 } }, first);
    const command = await post<{ id: string }>(
      "command/submit",
      { deviceId: id, method: "setLight", params: { on: true }, expiresInS: 600 },
      first,
    );
    await query(
      `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at, recorded_at)
       values ($1, '100002', $2, 'environment', 'nh3-high', 2, now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour')`,
      [app.nextId(), id],
    );
    await app.runJob("telemetry.roll-ups");

    const effects = await get<UnbindEffects>(`device/unbind-effects?id=${id}`, first);
    expect(effects.data).toEqual({ openAlarms: 1, openCommands: 1, behind: 0 });
    expect((await get(`device/unbind-effects?id=${id}`, second)).status).toBe(404);
    expect((await post("device/unbind", { id }, second)).status).toBe(404);
    expect((await post("device/unbind", { id }, first)).data).toEqual(effects.data);
    expect((await get(`device/detail?id=${id}`, first)).status).toBe(404);
    expect((await get(`telemetry/history?id=${id}&key=t_in&start=${past - 1}&end=${Date.now()}`, first)).status).toBe(
      404,
    );

    // What happened stays with the former owner, under the name that it had.
    const alarms = await get<Page<{ deviceId: string; deviceName: string }>>("alarm/page?size=500", first);
    expect(alarms.data.records.find(({ deviceId }) => deviceId === id)?.deviceName).toBe("甲方的秘密名字");
    const commands = await get<Page<{ id: string; state: string; deviceName: string }>>(
      `command/page?deviceId=${id}`,
      first,
    );
    expect(commands.data.records).toMatchObject([
      { id: command.data.id, state: "cancelled", deviceName: "甲方的秘密名字" },
    ]);
    expect(
      await query(
        "select tenant_id, device_name, unbound_at is not null as over from device_bindings where device_id = $1",
        [id],
      ),
    ).toEqual([{ tenant_id: "100002", device_name: "甲方的秘密名字", over: true }]);

    // A value that was on its way belongs to the time before.
    expect((await post("device/bind", { serialNumber, code, ...places.second }, second)).status).toBe(200);
    await send(token, { ts: past + 1000, values: { t_in: 11.2 } });
    await send(token, { t_in: 25.5 });
    const all: string[] = [];
    const range = `start=${past - 3_600_000}&end=${Date.now() + 60_000}`;
    for (const path of [
      `device/detail?id=${id}`,
      `registry/inspect?id=${id}`,
      `registry/detail?id=${id}`,
      `registry/history?id=${id}`,
      `device/latest?id=${id}`,
      `event/page?id=${id}`,
      `parameter/detail?id=${id}`,
      `command/page?deviceId=${id}`,
      `alarm/page?size=500&deviceId=${id}`,
      ...["raw", "minute", "hour", "day"].map(
        (resolution) => `telemetry/history?id=${id}&key=t_in&resolution=${resolution}&${range}`,
      ),
      `telemetry/history?id=${id}&key=secret_key&${range}`,
      `telemetry/series?ids=${id}&keys=t_in,secret_key&resolution=minute&${range}`,
    ]) {
      const answer = await get(path, second);
      expect([path, answer.status]).toEqual([path, 200]);
      all.push(JSON.stringify(answer.data));
    }
    const told = all.join("\n");
    for (const trace of ["甲方", "11.1", "11.2", "12.2", "gear_change", "t_target", "nh3-high", "setLight"])
      expect([trace, told.includes(trace)]).toEqual([trace, false]);
    const own = await get<HistoryReply>(`telemetry/history?id=${id}&key=t_in&resolution=raw&${range}`, second);
    expect(own.data.points.map(([, value]) => value)).toEqual([25.5]);
    await app.runJob("telemetry.roll-ups");
    const rolled = await get<HistoryReply>(`telemetry/history?id=${id}&key=t_in&resolution=minute&${range}`, second);
    expect(rolled.data.points.map(([, , mean]) => mean)).toEqual([25.5]);
  });

  test("a device moves within its tenant, and its place in the unit goes with the unit", async () => {
    const { id, serialNumber, code } = await registered();
    await post("device/bind", { serialNumber, code, ...places.first, positionX: 1, positionY: 2 }, first);
    const { unitId: _unit, ...house } = places.first;
    expect((await post("device/place", { id, ...places.second }, first)).data.reason).toBe("device.place");
    expect((await post("device/place", { id, ...places.first }, second)).data.reason).toBe("device.place");
    expect((await post("device/place", { id, ...places.second }, second)).status).toBe(404);
    expect((await post("device/place", { id, ...house, positionX: 5 }, first)).status).toBe(200);
    const { data } = await get<DeviceDetail>(`registry/inspect?id=${id}`, first);
    expect([data.unitId, data.positionX, data.houseId]).toEqual(["", undefined, house.houseId]);
  });
});

describe("credentials (T40)", () => {
  test("10,000 wrong tokens, user names and passwords let nobody in, by MQTT's door and by HTTP's", async () => {
    const { id, token } = await registered();
    const login = { id, loginName: "barn-7", password: "right-password" };
    const outcomes = new Set<unknown>();
    const body = { ...login, clientId: "barn-7" };
    expect((await post("device/credentials", body, admin)).status).toBe(200);
    for (let at = 0; at < 9900; at += 1) {
      const address = `10.4.0.${at % 2}`;
      const [name, password, clientId] = [
        [`${token.slice(0, -5)}${String(at).padStart(5, "0")}`, undefined, ""],
        [`barn-${at + 8}`, login.password, "barn-7"],
        [token, `right-passwor${at}`, "barn-7"],
      ][at % 3] as [string, string | undefined, string];
      outcomes.add(
        await app.uplink.authenticate(name, address, password === undefined ? undefined : { password, clientId }),
      );
    }
    // Guesses at the password itself cost a slow hash each.
    for (let at = 0; at < 50; at += 1)
      outcomes.add(
        await app.uplink.authenticate("barn-7", "10.4.1.1", { password: `guess-${at}`, clientId: "barn-7" }),
      );
    expect([...outcomes]).toEqual([undefined]);
    const statuses = new Set<number>();
    for (let at = 0; at < 50; at += 1) statuses.add(await send(`${token}${at}`, { t_in: 1 }));
    expect([...statuses]).toEqual([401]);
    const right = { password: login.password, clientId: "barn-7" };
    expect((await app.uplink.authenticate("barn-7", "10.4.2.1", right))?.id).toBe(id);
    expect(await app.uplink.authenticate("barn-7", "10.4.2.1", { ...right, clientId: "other" })).toBeUndefined();
  });

  test("a blocked device gets in with nothing until it is let in again", async () => {
    const { id, token } = await registered();
    expect(await send(token, { t_in: 1 })).toBe(200);
    await post("device/block", { id, blocked: true }, admin);
    await expect.poll(() => send(token, { t_in: 2 })).toBe(401);
    const listed = await get<Page<{ status: string }>>(`registry/page?ids=${id}`, admin);
    expect(listed.data.records[0]?.status).toBe("blocked");
    await post("device/block", { id, blocked: false }, admin);
    await expect.poll(() => send(token, { t_in: 3 })).toBe(200);
    // Devices that were used keep their records.
    expect((await post("registry/remove", { ids: id }, admin)).data.reason).toBe("device.was_used");
  });
});

test("a new device is shown until its first value, which counts from the binding on, and to nobody else", async () => {
  const fresh = async (token: string, id?: string) =>
    (await get<FreshDevice[]>(`device/fresh/list${id === undefined ? "" : `?id=${id}`}`, token)).data;
  const { id, serialNumber, code, token } = await registered();
  expect((await fresh(admin)).find(({ deviceId }) => deviceId === id)).toMatchObject({ came: "registered" });
  expect(await send(token, [{ ts: Date.now() - 60_000, values: { t_in: 19 } }] as object)).toBe(200);
  await post("device/bind", { serialNumber, code, ...places.first }, first);
  const [waiting] = await fresh(first, id);
  expect(waiting).toMatchObject({ came: "bound", readings: {} });
  expect(waiting?.reportedAtMs).toBeUndefined();
  await send(token, { t_in: 21.5 });
  const [told] = await fresh(first, id);
  expect(told?.readings).toMatchObject({ t_in: { value: 21.5 } });
  expect(told?.reportedAtMs).toBeGreaterThanOrEqual(told?.sinceMs ?? 0);
  expect((await fresh(first)).map(({ deviceId }) => deviceId)).toContain(id);
  expect(await fresh(second, id)).toEqual([]);
});
