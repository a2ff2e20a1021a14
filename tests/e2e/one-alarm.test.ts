import { alarmPath, type Message } from "@herdwise/contract";
import pg from "pg";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
let sql: pg.Client;
let unitId: string;
const alarmId = "8400000000000000680";
const account = "one-alarm";
const sentence = "硫化氢危险：硫化氢 13.4 ppm（限 10 ppm）";
/** Since when, in China. */
let since: string;

interface Place {
  path: () => string;
  /** The part of the page that is about the alarm. */
  at: (page: Page) => Locator;
  /** Shows the whole sentence and since when. */
  tells: boolean;
  /** What is pressed before the sentence is in view. */
  opener?: string;
}
const places: Readonly<Record<string, Place>> = {
  list: { path: () => alarmPath, at: (page) => page.locator("main li", { hasText: sentence }).first(), tells: true },
  panel: {
    path: () => `${alarmPath}?id=${alarmId}`,
    at: (page) => page.getByRole("complementary", { name: "告警详情" }),
    tells: true,
  },
  console: {
    path: () => "/selfCenter/home",
    at: (page) => page.getByRole("list", { name: "最严重的告警" }).getByRole("listitem").filter({ hasText: sentence }),
    tells: true,
  },
  unit: {
    path: () => `/selfCenter/vet/environment/unit?id=${unitId}`,
    at: (page) => page.locator("section[aria-label=告警]"),
    tells: true,
  },
  barn: {
    path: () => "/barn",
    // Alarms of other units may stand above it, so that it is in its unit's row.
    at: (page) => page.locator("main li", { hasText: sentence }).first(),
    tells: false,
    opener: "summary",
  },
};

describe.skipIf(foundBrowser === undefined)("one alarm", () => {
  beforeAll(async () => {
    sql = new pg.Client({ connectionString: portal.databaseUrl });
    await sql.connect();
    await portal.copyOf("heqing", account);
    const { rows } = await sql.query<{ unitId: string; raisedAt: Date }>(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, facts,
                           known_until, known_by, known_severity, acknowledged_at)
       select $1, d.tenant_id, d.id, d.farm_id, u.house_id, d.unit_id, 'environment', 'hydrogen_sulfide_danger', 4,
              now() - interval '9 minutes', now() - interval '8 minutes', '{"key": "h2s", "value": 13.4, "limit": 10}',
              now() + interval '20 minutes', (select id from accounts where account_key = 'heqing'), 4, now()
         from devices d join units u on u.id = d.unit_id where d.serial_number = 'ENV-DG2-07'
       returning unit_id::text as "unitId", raised_at as "raisedAt"`,
      [alarmId],
    );
    unitId = rows[0]?.unitId ?? "";
    since =
      rows[0]?.raisedAt.toLocaleTimeString("zh-CN", {
        timeZone: "Asia/Shanghai",
        hour: "2-digit",
        minute: "2-digit",
      }) ?? "";
  });
  afterAll(async () => {
    await sql?.query("delete from alarms where id = $1", [alarmId]);
    await sql?.end();
  });

  for (const width of [1440, 390])
    test(`says the same in every place while somebody knows of it, and asks in every place afterwards, at ${width} px`, async () => {
      await sql.query("update alarms set known_until = now() + interval '20 minutes', round = 1 where id = $1", [
        alarmId,
      ]);
      const context = await portal.signedIn(account, { viewport: { width, height: 900 }, timezoneId: "Asia/Shanghai" });
      const { page, problems } = await openPage(context);
      for (const [name, { path, at, tells, opener }] of Object.entries(places)) {
        await page.goto(`${portal.address}${path()}`);
        const part = at(page);
        if (opener) await part.locator(opener).click();
        await part.first().getByText(sentence).first().waitFor();
        await part
          .first()
          .getByText(/已知到 \d\d:\d\d/)
          .first()
          .waitFor();
        const text = await part.first().innerText();
        if (tells) expect(text, name).toContain(since);
        expect(await part.getByRole("button", { name: /确认，我来|我来处理/ }).count(), name).toBe(0);
        await settled(page);
        expect(await violationsOf(page), name).toEqual([]);
      }
      await sql.query("update alarms set known_until = now() - interval '1 second' where id = $1", [alarmId]);
      for (const [name, { path, at, opener }] of Object.entries(places)) {
        await page.goto(`${portal.address}${path()}`);
        const part = at(page);
        await part.first().waitFor();
        if (opener) await part.locator(opener).click();
        await expect
          .poll(() => part.getByRole("button", { name: /确认|我来处理/ }).count(), { message: name, timeout: 10_000 })
          .toBeGreaterThan(0);
        expect(await part.first().innerText(), name).not.toMatch(/已知到/);
      }
      // The message says what the screens say.
      const message = async (): Promise<Message | undefined> => {
        const { rows } = await sql.query<Message>(
          "select content from messages where link = $1 order by id desc limit 1",
          [`${alarmPath}?id=${alarmId}`],
        );
        return rows[0];
      };
      await expect.poll(message, { timeout: 30_000 }).toBeDefined();
      const content = (await message())?.content ?? "";
      expect(content).toContain(sentence);
      expect(content).toContain(since);
      expect(content).toContain("再次提醒");
      expect(problems).toEqual([]);
      await context.close();
    });
});
