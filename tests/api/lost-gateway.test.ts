import { afterAll, beforeAll, describe, test } from "vitest";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let houses: { id: string; farm_id: string }[];

beforeAll(async () => {
  app = await createTestApp();
  houses = await query<{ id: string; farm_id: string }>(
    `select h.id, h.farm_id from pig_houses h join farms f on f.id = h.farm_id where f.tenant_id = '100002'
      and h.farm_id = (select farm_id from pig_houses h join farms f on f.id = h.farm_id where f.tenant_id = '100002'
                        group by 1 having count(*) > 1 limit 1) order by h.id limit 2`,
  );
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

/** A gateway and devices behind it in two houses, all of which report and are connected. */
async function gatewayWith(children: number): Promise<{ gateway: InsertedDevice; behind: InsertedDevice[] }> {
  const [gateway, ...behind] = (await insertDevices(app.test, children + 1)) as [InsertedDevice, ...InsertedDevice[]];
  await query(
    "update devices set tenant_id = '100002', bound_at = now(), farm_id = $2, is_gateway = id = $3 where id = any($1)",
    [[gateway, ...behind].map(({ id }) => id), houses[0]?.farm_id, gateway.id],
  );
  for (const [at, { id }] of behind.entries())
    await query("update devices set gateway_id = $2, gateway_name = id::text, house_id = $3 where id = $1", [
      id,
      gateway.id,
      houses[at % houses.length]?.id,
    ]);
  await query(
    `insert into device_states (device_id, connected, reported_at, online_until)
     select d.id, true, now() - interval '2 minutes', now() + interval '3 minutes' from devices d where d.gateway_id = $1`,
    [gateway.id],
  );
  // Gateways as a rule measure nothing themselves.
  await query("insert into device_states (device_id, connected) values ($1, true)", [gateway.id]);
  return { gateway, behind };
}
/** Devices have said nothing for the time of their kind. */
const silence = (devices: readonly InsertedDevice[]) =>
  query(
    `update device_states set connected = false, reported_at = now() - interval '6 minutes', online_until = now() - interval '1 second'
      where device_id = any($1)`,
    [devices.map(({ id }) => id)],
  );
/** A gateway that measures nothing itself is gone. */
const disconnect = ({ id }: InsertedDevice) =>
  query("update device_states set connected = false where device_id = $1", [id]);
const alarmsOf = (devices: readonly InsertedDevice[]) =>
  query<{ id: string; cause_id: string | null; told: boolean }>(
    `select a.id, a.cause_id, exists (select from alarm_notices n where n.alarm_id = a.id) as told
       from alarms a where a.rule_id = 'offline' and a.ended_at is null and a.device_id = any($1) order by a.id`,
    [devices.map(({ id }) => id)],
  );
const told = async (devices: readonly InsertedDevice[]) => {
  const alarms = await alarmsOf(devices);
  return { alarms: alarms.length, told: alarms.filter((alarm) => alarm.told).length };
};

// Devices that fell silent are looked for every 2 s: each test waits for several looks.
describe.concurrent("a lost gateway", () => {
  test("a gateway that is lost is told once, also for those behind it that fall silent later", async ({ expect }) => {
    const { gateway, behind } = await gatewayWith(4);
    await disconnect(gateway);
    await silence(behind.slice(0, 2));
    await expect.poll(() => told(behind)).toEqual({ alarms: 2, told: 1 });
    const [root] = (await alarmsOf(behind)).filter(({ cause_id }) => cause_id === null);
    await query(
      "update device_states set reported_at = now() - interval '10 minutes', online_until = now() - interval '1 second' where device_id = any($1)",
      [behind.slice(2).map(({ id }) => id)],
    );
    await expect.poll(() => told(behind)).toEqual({ alarms: 4, told: 1 });
    expect((await alarmsOf(behind)).map(({ cause_id }) => cause_id).filter((id) => id !== null)).toEqual(
      Array(3).fill(root?.id),
    );
  });

  test("while its gateway is connected, a device that falls silent is told for itself", async ({ expect }) => {
    const { behind } = await gatewayWith(3);
    await silence(behind.slice(0, 1));
    await expect.poll(() => told(behind)).toEqual({ alarms: 1, told: 1 });
    await silence(behind.slice(1, 2));
    await expect.poll(() => told(behind)).toEqual({ alarms: 2, told: 2 });
  });

  test("while others behind the gateway report, a device that falls silent is told for itself", async ({ expect }) => {
    const other = await gatewayWith(3);
    await disconnect(other.gateway);
    await silence(other.behind.slice(0, 1));
    await expect.poll(() => told(other.behind)).toEqual({ alarms: 1, told: 1 });
    // It came back between, and another one fell silent.
    await query("update device_states set reported_at = now() + interval '1 second' where device_id = $1", [
      other.behind[2]?.id,
    ]);
    await silence(other.behind.slice(1, 2));
    await expect.poll(() => told(other.behind)).toEqual({ alarms: 2, told: 2 });
  });

  test("a gateway that reports itself stands for those behind it", async ({ expect }) => {
    const { gateway, behind } = await gatewayWith(2);
    await silence([...behind, gateway]);
    const all = [gateway, ...behind];
    await expect.poll(() => told(all)).toEqual({ alarms: 3, told: 1 });
    const [root] = await alarmsOf([gateway]);
    expect((await alarmsOf(behind)).map(({ cause_id }) => cause_id)).toEqual([root?.id, root?.id]);
  });
});
