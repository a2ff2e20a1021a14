import mqtt from "mqtt";
import pg from "pg";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser, openPage, settled } from "../harness/browser.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

const minuteMs = 60_000;

/** A unit of the owner with fresh values. */
async function openUnit(
  context: BrowserContext,
): Promise<{ page: Page; problems: string[]; send: (values: object) => Promise<void> }> {
  const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${portal.mqttPort}`, { username: "demo-ENV-ZJY-14" });
  const send = async (values: object): Promise<void> => {
    await device.publishAsync("v1/devices/me/telemetry", JSON.stringify(values), { qos: 1 });
  };
  await send({ t_in: 24.6, rh: 61 });
  const { page, problems } = await openPage(context);
  await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
  await page.locator("a.tile").first().waitFor();
  await page.goto(`${portal.address}/selfCenter/vet/environment/unit?id=${await unitOf("ENV-ZJY-14")}`);
  await page.locator(".big").first().getByText("24.6").waitFor();
  await settled(page);
  return { page, problems, send };
}

/** The unit in which a device stands. */
async function unitOf(serialNumber: string): Promise<string> {
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ unit: string }>(
    "select unit_id::text as unit from devices where serial_number = $1",
    [serialNumber],
  );
  await client.end();
  return rows[0]?.unit ?? "";
}

const lost = (page: Page) => page.getByText("连接已断开");

describe.skipIf(foundBrowser === undefined)("without a network", () => {
  test("a unit page keeps its last values for ten minutes, tells their age, and goes on by itself", async () => {
    const context = await portal.signedIn("farm");
    const { page, send } = await openUnit(context);
    await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
    await context.setOffline(true);
    await lost(page).waitFor();
    // Only once the stream has ended can no answer that was on its way begin the count anew.
    await page.locator(".unit-head").getByText("连接已断，正在重连").waitFor();
    // What counts time on the page goes on each second, from another hour.
    await page.clock.setSystemTime(Date.now() + 10 * minuteMs);
    // The head tells how old the newest value is, the banner since when nothing has come.
    await page.locator(".unit-head .age").getByText("10 分钟前").waitFor();
    await page.locator(".lost-connection .age").getByText("10 分钟前").waitFor();
    expect(await page.locator(".big").first().innerText()).toContain("24.6");
    await send({ t_in: 22.2, rh: 58 });
    await context.setOffline(false);
    await page.locator(".big").first().getByText("22.2").waitFor();
    await lost(page).waitFor({ state: "hidden" });
    expect(await page.evaluate(() => "notReloaded" in globalThis)).toBe(true);
    await context.close();
  });

  test("a click opens a screen whose files came ahead, and what is on it comes when the network does", async () => {
    const context = await portal.signedIn("farm", { fetchesAhead: true });
    const { page, problems } = await openUnit(context);
    await page.waitForFunction(() => sessionStorage.getItem("fetched_ahead") !== null);
    await context.setOffline(true);
    await lost(page).waitFor();
    await page.getByRole("link", { name: "设备管理" }).first().click();
    await page.waitForURL(/equipmentManage/);
    await page.getByRole("heading", { name: "全部设备" }).waitFor();
    await context.setOffline(false);
    await page.locator("tbody tr").first().waitFor();
    expect(problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem))).toEqual([]);
    await context.close();
  });

  test("a click on what can't come keeps the page and says why", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openUnit(context);
    await context.setOffline(true);
    await lost(page).waitFor();
    const before = page.url();
    await page.locator(".top .brand").click();
    await page.getByText("没有网络，这个页面现在打不开").waitFor();
    await page.getByRole("link", { name: "设备管理" }).first().click();
    expect(page.url()).toBe(before);
    expect(await page.locator(".big").first().innerText()).toContain("24.6");
    await context.close();
  });
});
