import pg from "pg";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { publish } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

const fault = { t_in: 31.6, t_target: 22, rh: 65, h2s: 12, mains: true, mode: "normal", pigs: 400 };
/** What is kept on the phone, by its names. */
const kept = `Object.keys(localStorage).filter((key) => key.includes("barn_"))`;

describe.skipIf(foundBrowser === undefined)("the barn mode", () => {
  test("opens without a network with the last values and their age, and sends once what was done meanwhile", async () => {
    const account = "barn-owner";
    await portal.copyOf("farm", account);
    const now = Date.now();
    await publish(portal, "ENV-ZJY-09", "telemetry", { ts: now - 80_000, values: fault });
    await publish(portal, "ENV-ZJY-09", "telemetry", { ts: now - 5000, values: fault });
    const context = await portal.signedIn(account, { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/barn`);
    const house = page.getByRole("combobox", { name: "猪舍" });
    const unit = page.locator("li", { hasText: "31.6" }).first();
    await unit.waitFor();
    await unit.getByText("硫化氢危险").first().waitFor();
    // The browser has the page when its worker has its files and answers for it.
    await page.waitForFunction(`(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state !== "activated") return false;
      const cache = await caches.open("barn-1");
      const names = (await cache.keys()).map((request) => new URL(request.url).pathname);
      const scripts = Array.from(document.querySelectorAll("link[rel=modulepreload]"), ({ href }) => new URL(href).pathname);
      return names.includes("/barn") && names.length > 10 && scripts.every((script) => names.includes(script));
    })()`);

    await context.setOffline(true);
    // A browser under load may end the worker while it answers; people press reload again then.
    await expect.poll(() => page.reload().then(() => "opened", String), { timeout: 20_000 }).toBe("opened");
    await unit.waitFor();
    expect(await house.count()).toBe(1);
    await page.getByText(/没网，数值停在/).waitFor();
    await unit.locator(".age").first().waitFor();
    await unit.getByText("处理", { exact: true }).click();
    const alarm = unit.locator("details > div").first();
    const acknowledge = alarm.getByRole("button", { name: "确认，我来处理" });
    await acknowledge.click();
    await alarm.getByRole("button", { name: "确认排队中" }).waitFor();
    await alarm.getByRole("button", { name: "记一句" }).click();
    await alarm.getByRole("textbox").fill("F3 电机烫手");
    await alarm.getByRole("button", { name: "记下" }).click();
    await page.getByRole("heading", { name: "等网络 2 条" }).waitFor();
    // What waits outlives the page.
    await page.reload();
    await page.getByRole("heading", { name: "等网络 2 条" }).waitFor();

    // Whom to call is asked of the server, so that a phone keeps no numbers.
    await unit.getByText("处理", { exact: true }).click();
    expect(await alarm.getByRole("button", { name: "呼叫场长" }).isDisabled()).toBe(true);

    await context.setOffline(false);
    await page.evaluate(`window.dispatchEvent(new Event("online"))`);
    await page.getByRole("heading", { name: "刚发出的" }).waitFor();
    await page.getByText("已送达").nth(1).waitFor();
    expect(await page.getByRole("heading", { name: /等网络/ }).count()).toBe(0);
    await unit
      .getByText(/已知到 \d\d:\d\d$/)
      .first()
      .waitFor();
    await alarm.getByRole("button", { name: "呼叫场长" }).click();
    await alarm
      .getByRole("status")
      .getByText(/\d{11}$/)
      .waitFor();
    const client = new pg.Client({ connectionString: portal.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `select e.action, e.body from alarm_entries e join accounts p on p.id = e.account_id
        where p.account = $1 order by e.id`,
      [account],
    );
    await client.end();
    expect(rows).toEqual([
      { action: "acknowledge", body: "30" },
      { action: "comment", body: "F3 电机烫手" },
      { action: "call", body: expect.stringMatching(/./) },
    ]);

    // The worker answers for the barn alone: other pages come from the server, and a log-out leaves nothing behind.
    // A browser that asks which program calls a number takes no clicks in that tab meanwhile.
    const { page: other } = await openPage(context);
    await other.goto(`${portal.address}/selfCenter/home`);
    await other.getByRole("heading", { level: 1 }).first().waitFor();
    expect(await other.evaluate<boolean>(`navigator.serviceWorker.controller === null`)).toBe(true);
    expect((await other.evaluate<string[]>(kept)).length).toBeGreaterThan(0);
    await other.locator("header.top .account-menu").click();
    await other.getByRole("button", { name: "退出登录" }).click();
    await other.waitForURL(/\/login/);
    expect(await other.evaluate(kept)).toEqual([]);
    const left = `(async () => [await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length])()`;
    expect(await other.evaluate(left)).toEqual([[], 0]);
    await context.close();
  });

  test("keeps nothing for anybody else on the same phone", async () => {
    const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/barn`);
    await page.locator("li").first().waitFor();
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("barn_values_")));
    const foreign = await page.evaluate(() => {
      const name = Object.keys(localStorage).find((key) => key.startsWith("barn_values_")) ?? "";
      const values = localStorage.getItem(name) ?? "";
      localStorage.setItem("barn_values_100009_1", values.replaceAll("育肥舍", "别人的舍"));
      localStorage.setItem(
        "draft_barn_100009_1",
        JSON.stringify([
          { key: "k", type: "note", alarmId: "1", text: "别人的话", atMs: Date.now() - 8 * 86_400_000, about: "别人" },
        ]),
      );
      return name;
    });
    await context.setOffline(true);
    await context.setOffline(false);
    await page.reload();
    await page.locator("li").first().waitFor();
    expect(await page.getByText("别人").count()).toBe(0);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("100009")))).toEqual([]);
    expect(foreign).toMatch(/^barn_values_\d+_\d+$/);
    await context.close();
  });
});
