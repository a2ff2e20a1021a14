import { type AlarmUnwoken, alarmPushPath, alarmUnwoken } from "@herdwise/contract";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("who is woken", () => {
  test("switching the SMS off is asked twice and says who is left; the roster follows", async () => {
    await portal.copyOf("farm", "nightwatch", "13800000871");
    const context = await portal.signedIn("nightwatch");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}${alarmPushPath}`);
    const roster = page.getByRole("region", { name: "今晚谁会被叫醒" });
    await roster.getByRole("row", { name: /138\*{4}0871/ }).waitFor();
    const sms = page.getByRole("listitem").filter({ has: page.getByText("短信", { exact: true }) });
    const stored = () =>
      apiOf(portal, "nightwatch")<{ channel: string; enabled: boolean }[]>("/api/muyuan-iot/push/list");
    const save = async (on: boolean) => {
      await sms.getByRole("checkbox").setChecked(on);
      await sms.getByRole("button", { name: "保存", exact: true }).click();
    };
    const smsStored = async () => (await stored()).find(({ channel }) => channel === "sms")?.enabled;
    await save(true);
    await sms.getByText("已保存").waitFor();
    await roster
      .getByRole("row", { name: /138\*{4}0871/ })
      .getByText("电话")
      .first()
      .waitFor();
    const question = page.getByRole("alertdialog");
    await save(false);
    await question
      .getByText(/还会叫醒：.*李敏/)
      .first()
      .waitFor();
    await question.getByRole("button", { name: "取消" }).click();
    expect(await smsStored()).toBe(true);
    await save(false);
    await question.getByRole("button", { name: "仍要保存" }).click();
    await question.waitFor({ state: "detached" });
    await sms.getByText("已保存").waitFor();
    expect(await smsStored()).toBe(false);
    // Refusals are told by the browser as errors of the network.
    expect(problems.filter((problem) => !problem.includes("400"))).toEqual([]);
    await context.close();
  });

  test("settings are tried on the last week before they are saved, and nothing is kept by trying", async () => {
    // An owner is also told of what nobody acknowledged, which a slow run has.
    await portal.copyOf("wangzq", "night-planner", "13800000872");
    const sql = new pg.Client({ connectionString: portal.databaseUrl });
    await sql.connect();
    const alarm = "8400000000000000872";
    // Last night at two in Shanghai, told at once; nobody acknowledged it before it ended.
    await sql.query(
      `with a as (
         insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, recorded_at, ended_at)
         select $1, d.tenant_id, d.id, d.farm_id, u.house_id, d.unit_id, 'environment', 'temperature_high', 4, n.at, n.at, n.at, n.at + interval '1 hour'
           from devices d join units u on u.id = d.unit_id,
                (select ((now() at time zone 'Asia/Shanghai')::date - 1 + time '02:00') at time zone 'Asia/Shanghai' as at) n
          where d.serial_number = 'ENV-ZJY-07' returning id, raised_at)
       insert into alarm_announcements (alarm_id, round, step, at) select id, 1, 1, raised_at from a`,
      [alarm],
    );
    const context = await portal.signedIn("night-planner");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}${alarmPushPath}`);
    const tried = page.getByRole("region", { name: "用最近 7 天的告警试算" });
    // A copied account begins with nothing that tells it of alarms.
    const untold = tried.getByText(/最近 7 天的 \d+ 条告警一条都不会告诉您/);
    await untold.waitFor();
    const stored = () => apiOf(portal, "night-planner")<object[]>("/api/muyuan-iot/push/list");
    const before = await stored();
    const sms = page
      .getByRole("listitem")
      .filter({ has: page.getByText("短信", { exact: true }) })
      .getByRole("checkbox");
    await sms.setChecked(true);
    await tried.getByText(/照这样设，最近 7 天会给您.*发 \d+ 条短信/).waitFor();
    await tried.getByText(/其中夜里叫醒您 [1-9]\d* 次/).waitFor();
    await tried.getByRole("list", { name: "会发的" }).getByRole("listitem").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await sms.setChecked(false);
    await untold.waitFor();
    expect(await stored()).toEqual(before);
    await sql.query("delete from alarms where id = $1", [alarm]);
    await sql.end();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the first screen says above everything else that nobody is, and the way to mend it", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    const told: AlarmUnwoken = {
      services: { sms: "out-of-money", voice: "works" },
      total: 3,
      count: 1,
      farms: [{ farmId: "7", farmName: "清水保育场", tenantName: "中原牧业有限公司" }],
    };
    await page.route(`**${alarmUnwoken.path}*`, (route) =>
      route.fulfill({ json: { code: 200, success: true, data: told, msg: "" } }),
    );
    await page.goto(`${portal.address}/selfCenter/home`);
    const banner = page.getByRole("region", { name: "今晚有 1 个场区的紧急告警叫不醒任何人" });
    await banner.getByText("短信服务说余额用完了").waitFor();
    await banner.getByRole("link", { name: "清水保育场" }).waitFor();
    await settled(page);
    const [top, lead] = await Promise.all([banner.boundingBox(), page.locator(".console-lead").first().boundingBox()]);
    expect((top?.y ?? 0) + (top?.height ?? 0)).toBeLessThanOrEqual(lead?.y ?? 0);
    await banner.getByRole("link", { name: "看今晚谁会被叫醒" }).click();
    await page.getByRole("heading", { name: "今晚谁会被叫醒" }).waitFor();
    await context.close();
  });

  test("the language that somebody switches to is kept with the account", async () => {
    await portal.copyOf("worker", "linguist");
    const context = await portal.signedIn("linguist");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/news`);
    await page.getByRole("button", { name: "EN", exact: true }).click();
    await page.getByRole("button", { name: "中文", exact: true }).first().waitFor();
    await expect
      .poll(() => apiOf(portal, "linguist")<{ key: string; value: string }[]>("/api/muyuan-system/preference/list"))
      .toContainEqual(expect.objectContaining({ key: "language", value: '"en"' }));
    await context.close();
  });
});
