import { alarmPath } from "@herdwise/contract";
import { type AlarmChange, type DeviceKindId, deviceKinds, faultRulesOf, type LocalText } from "@herdwise/device-kinds";
import pg from "pg";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { severityRank } from "../../apps/server/src/modules/alarms/severity.ts";
import { type Scenario, scenarios } from "../../apps/simulator/src/scenarios.ts";
import { fullEntry, readNow, stateTime } from "../../apps/simulator/src/virtual-device.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { navigate } from "../harness/crawl.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { beginMs, pastOf, Run } from "../harness/scenario-run.ts";
import { volume } from "../harness/volume.ts";

/*
 * Of each scenario of the simulator and each kind that it is for: on a phone, from the first screen of a farm's owner, the cause of what
 * is wrong and what to do first are read within two taps, in both languages. The virtual device and the rules of its kind run here, minute
 * by minute; what ingest and alarms would have stored of it by then is put into the database, moved to now. That the server raises the same
 * from messages is held by api/alarms.test.ts, and that a scenario raises what it declares by apps/simulator/src/scenarios.test.ts.
 */

const portal = usePortal();
const hourMs = 3_600_000;
const minuteMs = 60_000;
const languages = ["zh", "en"] as const;
type Language = (typeof languages)[number];
const home = "/selfCenter/home";
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

interface Journey {
  name: string;
  scenario: Scenario;
  kind: DeviceKindId;
}
/** Made from the list: a new scenario has its journeys by being there. What raises no alarm has nothing to read. */
const all = scenarios
  .filter(({ alarms }) => alarms.length > 0)
  .flatMap((scenario) =>
    scenario.kinds.map((kind): Journey => ({ name: `${scenario.name} of ${kind}`, scenario, kind })),
  );
const firstOf = (kind: DeviceKindId) => scenarios.find(({ kinds }) => kinds.includes(kind));
const journeys = volume({
  short: all.filter(({ scenario, kind }) => scenario === firstOf(kind)),
  long: all,
});

/** Owners whose farms no other browser test sends messages to. Between them they have every kind. */
const owners = [
  { account: "heqing", tenantId: "100003" },
  { account: "sunli", tenantId: "100001" },
] as const;
type Owner = (typeof owners)[number];

interface Root {
  id: string;
  rule: string;
  cause: LocalText;
  firstStep: LocalText;
}
interface Planted {
  owner: Owner;
  deviceId: string;
  /** The alarms that follow from no other. */
  roots: Root[];
}

let sql: pg.Client;
let lastId = 8_500_000_000_000_000_000n;
const planted: string[] = [];

async function deviceOf(kind: DeviceKindId): Promise<{ id: string; owner: Owner }> {
  for (const owner of owners) {
    const { rows } = await sql.query<{ id: string }>(
      `select d.id::text from devices d left join units u on u.id = d.unit_id
        where d.tenant_id = $1 and d.kind = $2 and d.bound_at is not null and (d.unit_id is null or u.head_count > 0)
        order by u.pigsty_type = 'fattening' desc nulls last, d.serial_number limit 1`,
      [owner.tenantId, kind],
    );
    if (rows[0]) return { id: rows[0].id, owner };
  }
  throw new Error(`no owner has a device of ${kind}`);
}

/** Runs a scenario until all that it declares was raised. @returns the run, and the last change of each rule that is open then */
function runUntilRaised({ scenario, kind }: Journey): { run: Run; open: AlarmChange[]; atMs: number } {
  const endMs = beginMs + scenario.lastsH * hourMs;
  const run = new Run(kind, 1, pastOf(kind, scenario.learnsDays ?? 1, 1), [
    { name: scenario.name, fromMs: beginMs, untilMs: endMs },
  ]);
  const declared = scenario.alarms.filter(({ suppressed }) => !suppressed).map(({ rule }) => rule);
  const lastOf = (rule: string) => run.changes.findLast(({ ruleId }) => ruleId === rule);
  const wasRaised = (rule: string) =>
    run.changes.some(({ ruleId, type, suppressed }) => ruleId === rule && type === "raised" && !suppressed);
  let atMs = beginMs;
  while (!declared.every(wasRaised)) {
    if (atMs > endMs + (scenario.clearsH ?? 1) * hourMs)
      throw new Error(`${scenario.name} does not raise what it declares`);
    atMs += minuteMs;
    run.pass(atMs);
  }
  const open = declared.flatMap((rule) => {
    const last = lastOf(rule);
    return last?.type === "raised" && !last.suppressed ? [last] : [];
  });
  return { run, open, atMs };
}

/** Puts what the scenario came to into the database, as of now. */
async function plant(journey: Journey): Promise<Planted> {
  const { scenario, kind } = journey;
  const { run, open, atMs } = runUntilRaised(journey);
  const { id: deviceId, owner } = await deviceOf(kind);
  planted.push(deviceId);
  const nowMs = Date.now();
  const shiftMs = nowMs - atMs;
  const silent = open.some(({ ruleId }) => ruleId === "offline");
  const silentFor = silent ? deviceKinds[kind].offlineAfterS * 2000 : 0;
  const { values } = fullEntry(run.virtual, stateTime(run.state), readNow(run.virtual, run.state));
  const readings = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, { value, ts: nowMs - silentFor }]),
  );
  await sql.query(
    `insert into device_states (device_id, reported_at, online_until, connected)
     values ($1, to_timestamp($2), to_timestamp($3), $4)
     on conflict (device_id) do update set reported_at = excluded.reported_at, online_until = excluded.online_until,
       connected = excluded.connected`,
    [deviceId, (nowMs - silentFor) / 1000, (nowMs + (silent ? -minuteMs : hourMs)) / 1000, !silent],
  );
  await sql.query(
    `insert into device_readings (device_id, readings, newest_at) values ($1, $2, to_timestamp($3))
     on conflict (device_id) do update set readings = excluded.readings, newest_at = excluded.newest_at`,
    [deviceId, JSON.stringify(readings), (nowMs - silentFor) / 1000],
  );
  const ids = new Map(
    open.map(({ ruleId }) => {
      lastId += 1n;
      return [ruleId, String(lastId)];
    }),
  );
  const causeOf = (rule: string) => ids.get(scenario.alarms.find((alarm) => alarm.rule === rule)?.under ?? "") ?? null;
  for (const { ruleId, severity, sinceMs, atMs: raisedMs, figure } of open) {
    const { key, value, limit } = figure ?? {};
    await sql.query(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, facts, cause_id, fault)
       select $1, d.tenant_id, d.id, d.farm_id, d.house_id, d.unit_id, d.kind, $2, $3, to_timestamp($4), to_timestamp($5), $6, $7, $8
         from devices d where d.id = $9`,
      [
        ids.get(ruleId),
        ruleId,
        severityRank(severity),
        (sinceMs + shiftMs) / 1000,
        (raisedMs + shiftMs) / 1000,
        JSON.stringify({ key, value, limit }),
        causeOf(ruleId),
        faultRulesOf(kind).includes(ruleId),
        deviceId,
      ],
    );
  }
  const roots = open.flatMap(({ ruleId }): Root[] => {
    if (causeOf(ruleId) !== null) return [];
    const guide = deviceKinds[kind].guides?.find(({ rule }) => rule === ruleId);
    const [firstStep] = guide?.steps ?? [];
    if (!guide || !firstStep) throw new Error(`${kind} says neither why ${ruleId} is nor what to do`);
    return [{ id: ids.get(ruleId) ?? "", rule: ruleId, cause: guide.cause, firstStep }];
  });
  return { owner, deviceId, roots };
}

const pages = new Map<string, { page: Page; problems: string[] }>();
async function pageOf({ account }: Owner, language: Language): Promise<{ page: Page; problems: string[] }> {
  const key = `${account} ${language}`;
  let opened = pages.get(key);
  if (opened === undefined) {
    const context = await portal.signedIn(account, phone);
    await context.addCookies([{ name: "langType", value: language, url: portal.address }]);
    await context.addInitScript((lang) => localStorage.setItem("langType", lang), language);
    opened = await openPage(context);
    await opened.page.goto(portal.address + home);
    await settled(opened.page);
    pages.set(key, opened);
  }
  return opened;
}

const journeysOfSession = 8;
async function closePages(): Promise<void> {
  for (const { page } of pages.values()) await page.context().close();
  pages.clear();
}

/** Whether a person sees a text without moving the page: all of it in the window, and nothing over it. */
const isSeen = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    interface Found {
      getBoundingClientRect(): { left: number; top: number; bottom: number };
      contains(other: unknown): boolean;
    }
    const found = element as unknown as Found;
    const { document, innerHeight } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): unknown };
      innerHeight: number;
    };
    const { left, top, bottom } = found.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && found.contains(document.elementFromPoint(left + 8, bottom - 6));
  });

async function expectRead(page: Page, { rule, cause, firstStep }: Root, language: Language): Promise<void> {
  const panel = page.getByRole("complementary").filter({ has: page.locator("#alarm-title") });
  const name = page.locator("#alarm-title");
  for (const [what, text] of [
    ["cause", panel.getByText(cause[language], { exact: true }).first()],
    ["next step", panel.getByText(firstStep[language], { exact: true }).first()],
  ] as const) {
    await text.waitFor();
    await expect.poll(() => isSeen(text), { message: `${what} of ${rule} in ${language}` }).toBe(true);
  }
  expect(await name.innerText()).not.toBe("");
}

describe.skipIf(foundBrowser === undefined)(
  "from the first screen on a phone, cause and next step are two taps away at most",
  () => {
    beforeAll(async () => {
      sql = new pg.Client({ connectionString: portal.databaseUrl });
      await sql.connect();
      // In the demo a customer weighs whose farms other tests send messages to.
      await sql.query(
        `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, activated_at)
         select 8400000000000000001, f.tenant_id, 'weighbridge', 'Scale', 'WBR-SCENARIO-01', sha256('WBR-SCENARIO-01'), f.id, now(), now()
           from farms f where f.tenant_id = $1 order by f.id limit 1`,
        [owners[1].tenantId],
      );
    });
    let done = 0;
    afterEach(async () => {
      done += 1;
      // A session opens at most 60 streams a minute, and each journey opens some.
      if (done % journeysOfSession === 0) await closePages();
      const ids = planted.splice(0);
      await sql.query("delete from alarms where device_id = any($1)", [ids]);
      await sql.query("delete from device_states where device_id = any($1)", [ids]);
      await sql.query("delete from device_readings where device_id = any($1)", [ids]);
    });
    afterAll(async () => {
      await closePages();
      await sql?.end();
    });

    test.each(journeys.map((journey, at) => ({ ...journey, at })))("$name", async ({ at, ...journey }) => {
      const { owner, roots } = await plant(journey);
      expect(roots.length).toBeGreaterThan(0);
      // A kind in one language, the next one in the other.
      const spoken = volume<readonly Language[]>({
        short: languages.filter((_, place) => place === at % 2),
        long: languages,
      });
      for (const language of spoken) {
        const { page, problems } = await pageOf(owner, language);
        for (const root of roots) {
          await navigate(page, home);
          await page.locator(`a[href="${alarmPath}?id=${root.id}"]`).tap();
          await expectRead(page, root, language);
        }
        // Its alarms are removed, and a page that still shows one would ask for it; the first screen is opened anew by the next one.
        await navigate(page, alarmPath);
        await settled(page);
        expect(problems).toEqual([]);
      }
    });

    test("what is not among the worst is found in the warning centre's list", async () => {
      const [journey] = all;
      if (journey === undefined) throw new Error("there is no scenario");
      const { owner, roots } = await plant(journey);
      for (const language of languages) {
        const { page } = await pageOf(owner, language);
        const [root] = roots as [Root];
        const name = deviceKinds[journey.kind].alarmRules.find(({ id }) => id === root.rule)?.name[language] ?? "";
        await navigate(page, home);
        await page
          .getByRole("link", { name: { zh: "告警中心", en: "Alarm centre" }[language], exact: true })
          .last()
          .tap();
        // The page may have shown alarms of an earlier journey, which are gone.
        await settled(page);
        // Its sentence begins with the name of its rule, which stands alone below a worse alarm of the same cause.
        const named = new RegExp(`(?:^|\\s)${name}(?:$|[:：])`);
        await page.getByRole("button", { name: named }).first().tap();
        await expectRead(page, root, language);
      }
    });
  },
);
