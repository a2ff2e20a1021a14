import { readFileSync } from "node:fs";
import {
  afterSalesDetail,
  afterSalesPage,
  alarmDetail,
  alarmOpen,
  commandPage,
  devicePage,
  messagePage,
  parameterSubmit,
  telemetryHistory,
  todoList,
} from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import pg from "pg";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { CountedPage } from "../harness/counted-page.ts";
import { apiOf } from "../harness/departments.ts";
import { connectDevice, publish } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { type Given, type TaskNumber, ways } from "../harness/ten-ways.ts";

const portal = usePortal();
const owner = "ten-tasks-owner";
const colleague = "ten-tasks-colleague";
const colleagueName = "高岩";
const hourMs = 3_600_000;
let sql: pg.Client;

const widths = { desk: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } } as const;
type Width = keyof typeof widths;

/** Devices to which no other test sends. Where a task is gone twice and changes something, each way has its own. */
const devices = {
  1: { desk: "ENV-DG2-03", phone: "ENV-DG2-04" },
  2: { desk: "ENV-DG2-10", phone: "ENV-DG2-12" },
  3: { desk: "ENV-DG2-13" },
  4: { desk: "ENV-DG2-13" },
  5: { desk: "ENV-DG2-09" },
  6: { desk: "ENV-DG2-14" },
  7: { desk: "ENV-DG2-08" },
  8: { desk: "ENV-DG2-13" },
  9: { desk: "ENV-DG2-13", phone: "ENV-DG2-13" },
  10: { desk: "ENV-DG2-05", phone: "ENV-DG2-06" },
} as const satisfies Readonly<Record<TaskNumber, Readonly<Partial<Record<Width, string>>>>>;

/** What docs/ten-tasks.md tells of a task: its row of the table. */
const told = new Map(
  readFileSync(new URL("../../docs/ten-tasks.md", import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      return /^\d+$/.test(cells[1] ?? "") ? [[Number(cells[1]), { desk: cells[5], phone: cells[6] }] as const] : [];
    }),
);

interface Placed {
  id: string;
  name: string;
  serialNumber: string;
  farmId: string;
  farmName: string;
  houseName: string;
  unitId: string;
  unitName: string;
}

const api = apiOf(portal, owner);
async function placed(serialNumber: string): Promise<Placed> {
  const { records } = await api<{ records: Placed[] }>(`${devicePage.path}?size=10&name=${serialNumber}`);
  const [device] = records;
  if (!device) throw new Error(`${serialNumber} is not there`);
  return device;
}

const givenBy = (device: Placed, sentence = ""): Given => ({
  farm: device.farmName,
  house: device.houseName,
  unit: device.unitName,
  device: device.name,
  serialNumber: device.serialNumber,
  sentence,
  colleague: colleagueName,
});

/** Nothing else waits on the console: other tests leave alarms and other work there, which push its farms down. */
async function tellNothing(context: BrowserContext): Promise<void> {
  const counts = { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0, unacknowledged: 0, mine: 0, suppressed: 0 };
  const envelope = (data: unknown) => ({ json: { code: 200, success: true, msg: "", data } });
  await context.route(`**${alarmOpen.path}?*`, (route) => route.fulfill(envelope({ counts, alarms: [] })));
  await context.route(`**${todoList.path}`, (route) => route.fulfill(envelope({ todos: [], counts: [] })));
}

/** Goes a task as somebody who has just logged in, and holds what it took against the table. */
async function goes(task: TaskNumber, at: Width, given: Given, proof: (page: Page) => Promise<void>): Promise<void> {
  const context = await portal.signedIn(owner, { viewport: widths[at], timezoneId: "Asia/Shanghai" });
  const { page, problems } = await openPage(context);
  if (given.sentence === "") await tellNothing(context);
  await page.goto(`${portal.address}/selfCenter/home`);
  await settled(page);
  const person = new CountedPage(page);
  await ways[task](person, given);
  await proof(page);
  expect(problems).toEqual([]);
  expect(String(person.sum), `${task} at the ${at}: ${JSON.stringify(person.effort)}`).toBe(told.get(task)?.[at]);
  await context.close();
}

/** An open alarm of a device, older than those of other tests. */
async function alarmOf(serialNumber: string, rule: string, facts: object): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, facts)
     select (8400000000000900000 + (random() * 99999)::int), d.tenant_id, d.id, d.farm_id, u.house_id, d.unit_id, 'environment', $2, 4,
            now() - interval '7 hours', now() - interval '6 hours', $3
       from devices d join units u on u.id = d.unit_id where d.serial_number = $1
     returning id::text as id`,
    [serialNumber, rule, JSON.stringify(facts)],
  );
  return rows[0]?.id ?? "";
}
const withAlarm = async (
  serialNumber: string,
  [rule, facts]: readonly [string, object],
  work: (id: string) => Promise<void>,
): Promise<void> => {
  const id = await alarmOf(serialNumber, rule, facts);
  try {
    await work(id);
  } finally {
    await sql.query("delete from alarms where id = $1", [id]);
  }
};
const sentenceOf = async (id: string): Promise<string> =>
  (await api<{ sentence: { zh: string } }>(`${alarmDetail.path}?id=${id}`)).sentence.zh;

describe.skipIf(foundBrowser === undefined)("ten tasks of a new user", () => {
  beforeAll(async () => {
    sql = new pg.Client({ connectionString: portal.databaseUrl });
    await sql.connect();
    await portal.copyOf("heqing", owner);
    await portal.copyOf("heqing", colleague);
    await sql.query("update accounts set real_name = $2 where account_key = $1", [colleague, colleagueName]);
  });
  afterAll(async () => {
    await sql?.end();
  });

  test("what hands do is counted, and whole screens that are scrolled", async () => {
    const context = await portal.newContext({ viewport: { width: 1000, height: 500 } });
    const { page } = await openPage(context);
    await page.route("**/counted", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<h1>Counted</h1><input id="word"><select id="list"><option>a<option>b</select>
          <p style="margin:0;height:1200px"></p><button id="far">far</button><p style="height:3000px"></p>`,
      }),
    );
    await page.goto(`${portal.address}/counted`);
    const person = new CountedPage(page);
    await person.types(page.locator("#word"), "many letters");
    await person.chooses(page.locator("#list"), "b");
    await person.presses("Control+k");
    expect(person.effort).toEqual({ clicks: 2, typed: 1, keys: 1, scrolls: 0 });
    await person.clicks(page.locator("#far"));
    expect(person.effort).toEqual({ clicks: 3, typed: 1, keys: 1, scrolls: 1 });
    // Upwards, too; the sum is that of all parts.
    await person.sees(page.locator("h1"));
    expect(person.effort.scrolls).toBeGreaterThan(1);
    expect(person.sum).toBe(5 + person.effort.scrolls);
    await context.close();
  });

  test("the table tells of ten tasks", () => {
    expect([...told.keys()]).toEqual(Object.keys(ways).map(Number));
    for (const [task, { desk, phone }] of told) {
      expect(desk, `${task}`).toMatch(/^\d+$/);
      expect(phone !== "–", `${task}`).toBe("phone" in devices[task as TaskNumber]);
    }
  });

  test.each(["desk", "phone"] as const)(
    "1: finds the worst unit, sees why, acts, checks that it worked, at the %s",
    (at) =>
      withAlarm(devices[1][at], ["ammonia_high", { key: "nh3", value: 27.4, limit: 20 }], async (alarm) => {
        const device = await placed(devices[1][at]);
        const client = await connectDevice(portal, device.serialNumber);
        const heard: unknown[] = [];
        client.on("message", (topic, payload) => {
          heard.push(JSON.parse(payload.toString()));
          client.publish(topic.replace("request", "response"), JSON.stringify({ success: true }), { qos: 1 });
        });
        await client.subscribeAsync("v1/devices/me/rpc/request/+", { qos: 1 });
        await goes(1, at, givenBy(device, await sentenceOf(alarm)), async () => {
          expect(heard).toMatchObject([{ method: "setGear", params: { gear: 9 } }]);
          const { records } = await api<{ records: { method: string; state: string }[] }>(
            `${commandPage.path}?deviceId=${device.id}&current=1&size=2`,
          );
          expect(records).toMatchObject([{ method: "setGear", state: "succeeded" }]);
        });
        await client.endAsync();
      }),
  );

  test.each(["desk", "phone"] as const)("2: masks a unit that is washed, at the %s", async (at) => {
    const device = await placed(devices[2][at]);
    await goes(2, at, givenBy(device), async () => {
      const { rows } = await sql.query("select mode, mode_ends_at > now() as ends from units where id = $1", [
        device.unitId,
      ]);
      expect(rows).toEqual([{ mode: "washing", ends: true }]);
    });
  });

  test("3: compares the deaths of two farms over a week", async () => {
    await goes(3, "desk", givenBy(await placed(devices[3].desk)), async (page) => {
      const deaths = page.getByRole("row", { name: /死亡/ });
      const cells = await deaths.getByRole("cell").allInnerTexts();
      expect(cells).toHaveLength(2);
      for (const cell of cells) expect(cell).toMatch(/^\d+\.\d\d/);
      expect(new URL(page.url()).searchParams.get("days")).toBe("7");
    });
  });

  test("4: finds a device by its serial number", async () => {
    const device = await placed(devices[4].desk);
    await goes(4, "desk", givenBy(device), async (page) => {
      expect(new URL(page.url()).searchParams.get("id")).toBe(device.id);
    });
  });

  test("5: raises an order with its evidence", async () => {
    const device = await placed(devices[5].desk);
    await publish(portal, device.serialNumber, "telemetry", { t_in: 21.4, rh: 61, gear: 3 });
    await goes(5, "desk", givenBy(device), async () => {
      const { records } = await api<{ records: { id: string }[] }>(
        `${afterSalesPage.path}?deviceId=${device.id}&current=1&size=3`,
      );
      expect(records).toHaveLength(1);
      const order = await api<{ entries: { photos: string[] }[]; snapshot?: object }>(
        `${afterSalesDetail.path}?id=${records[0]?.id}`,
      );
      expect(order.entries.flatMap(({ photos }) => photos)).toHaveLength(1);
      expect(JSON.stringify(order.snapshot)).toContain("21.4");
    });
  });

  test("6: binds a device", async () => {
    const serialNumber = "ENV-KC-01";
    const device = await placed(devices[6].desk);
    await goes(6, "desk", { ...givenBy(device), serialNumber }, async () => {
      expect(await placed(serialNumber)).toMatchObject({ unitId: device.unitId });
    });
  });

  test("7: sees what a colleague changed", async () => {
    const device = await placed(devices[7].desk);
    await apiOf(portal, colleague)(parameterSubmit.path, { deviceId: device.id, values: { t_target: 21.5 } });
    await goes(7, "desk", givenBy(device), async (page) => {
      const row = await page.getByRole("row", { name: /目标温度/ }).innerText();
      expect(row).toContain("21.5");
      expect(row).toContain(colleagueName);
    });
  });

  test("8: sends a weekly report", async () => {
    await goes(8, "desk", givenBy(await placed(devices[8].desk)), async () => {
      const { records } = await apiOf(
        portal,
        colleague,
      )<{ records: { title: string; link: string }[] }>(`${messagePage.path}?current=1&size=5`);
      const week = shanghaiDay(Date.now() - 7 * 24 * hourMs);
      expect(records[0]?.title).toContain("周报");
      expect(records[0]?.link).toMatch(/period=week&day=\d{4}-\d\d-\d\d$/);
      // The week that is over.
      expect((records[0]?.link ?? "").slice(-10) <= week).toBe(true);
    });
  });

  test.each(["desk", "phone"] as const)("9: reads the last night in a house, at the %s", async (at) => {
    const device = await placed(devices[9][at]);
    const endMs = shanghaiMidnight(shanghaiDay(Date.now())) + 6 * hourMs;
    const hours = [9, 7, 5, 3, 1].map((before) => ({
      ts: endMs - before * hourMs,
      values: { t_in: 20 + before / 10, t_out: 4, gear: 3 },
    }));
    await publish(portal, device.serialNumber, "telemetry", hours);
    await goes(9, at, givenBy(device), async (page) => {
      await page.getByRole("heading", { name: /昨夜/ }).waitFor();
      await page.getByRole("button", { name: "看数据表" }).click();
      const rows = await page.getByRole("region", { name: "数据表" }).getByRole("row").allInnerTexts();
      expect(rows.filter((row) => /2\d\.\d/.test(row)).length).toBeGreaterThanOrEqual(hours.length);
      const api = apiOf(portal, owner);
      const history = await api<{ points: unknown[] }>(
        `${telemetryHistory.path}?id=${device.id}&key=t_in&start=${endMs - 10 * hourMs}&end=${endMs}&resolution=auto`,
      );
      expect(history.points.length).toBeGreaterThanOrEqual(hours.length);
    });
  });

  test.each(["desk", "phone"] as const)("10: stops being called for a known fault, at the %s", (at) =>
    withAlarm(devices[10][at], ["carbon_dioxide_high", { key: "co2", value: 3600, limit: 3000 }], async (alarm) => {
      const device = await placed(devices[10][at]);
      await goes(10, at, givenBy(device, await sentenceOf(alarm)), async () => {
        const { known } = await api<{ known?: { untilMs: number } }>(`${alarmDetail.path}?id=${alarm}`);
        expect((known?.untilMs ?? 0) - Date.now()).toBeGreaterThan(50 * 60_000);
      });
    }),
  );
});
