import { type AlarmUnwoken, alarmPushPath, alarmUnwoken } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
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
