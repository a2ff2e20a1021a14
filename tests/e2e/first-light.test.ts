import mqtt from "mqtt";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, openPage, settled } from "../harness/browser.ts";
import { usePortal } from "../harness/portal.ts";
import { onThisMachine } from "../harness/time-limit.ts";

const portal = usePortal();

const publish = async (serialNumber: string, values: Record<string, unknown>) => {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${portal.mqttPort}`, { username: `demo-${serialNumber}` });
  await client.publishAsync("v1/devices/me/telemetry", JSON.stringify(values), { qos: 1 });
  await client.endAsync();
};

describe.skipIf(foundBrowser === undefined)("first light", () => {
  test("a published message changes the number on the open unit page in under a second", async () => {
    await publish("ENV-ZJY-01", { t_in: 21.4, rh: 61 });
    const context = await portal.newContext();
    const { page, problems } = await openPage(context);
    await portal.logInAsDemo(page, "周建平");
    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    await page.getByRole("link", { name: /21\.4/ }).first().click();
    await page.waitForURL(/environment\/unit/);
    const temperature = page.locator(".big").first();
    await temperature.getByText("21.4").waitFor();
    // The property is a second on a machine that has one for it: of three changes the quickest counts.
    const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${portal.mqttPort}`, { username: "demo-ENV-ZJY-01" });
    const took: number[] = [];
    for (const value of [23.5, 22.6, 24.2]) {
      const begun = performance.now();
      device.publish("v1/devices/me/telemetry", JSON.stringify({ t_in: value }), { qos: 1 });
      await temperature.getByText(String(value)).waitFor({ timeout: 5000 });
      took.push(performance.now() - begun);
    }
    await device.endAsync();
    expect(Math.min(...took)).toBeLessThan(onThisMachine(1000));
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a deep link asks for the log-in and leads back to where it pointed; reloading it works", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/equipmentManage/allDevices?f.kind=environment`);
    await page.waitForURL(/\/login\?/);
    await page.getByRole("button", { name: /周建平/ }).click();
    await page.waitForURL(/allDevices\?f\.kind=environment/);
    await page.reload();
    await page.getByText("ENV-ZJY-01").first().waitFor();
    await context.close();
  });

  test("another tenant's unit is not there, and an unknown path is a 404", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "王小满");
    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    await page.getByText("柳河猪场").first().waitFor();
    expect(await page.getByText("周家营商品场").count()).toBe(0);
    const answer = await page.goto(`${portal.address}/no/such/page`);
    expect(answer?.status()).toBe(404);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("home page", () => {
  test.each([
    ["zh", "/index", "环境控制"],
    ["en", "/index?lang=en", "Environment control"],
  ])("shows its content without JavaScript in %s", async (lang, path, solution) => {
    const context = await portal.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(portal.address + path);
    expect(await page.locator("html").getAttribute("lang")).toMatch(new RegExp(`^${lang}`));
    const text = (await page.locator("main").innerText()).replace(/\s+/g, " ");
    expect(text.length).toBeGreaterThan(400);
    expect(text.toLowerCase()).toContain(solution.toLowerCase());
    // An English page with a Chinese sentence has a hole.
    if (lang === "en")
      expect(text.replace(/慧牧|中文|号|舍|单元|育肥/g, "").match(/[\u4e00-\u9fff]{4,}/g) ?? []).toEqual([]);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("accessibility", () => {
  // The other screens are looked at in accessible.test.ts; this one needs a unit.
  test.each([
    ["light", "en"],
    ["dark", "zh"],
  ] as const)("axe finds nothing on a unit's page in %s, %s", async (colorScheme, lang) => {
    const context = await portal.newContext({ colorScheme, reducedMotion: "reduce" });
    const { page } = await openPage(context);
    await context.addInitScript((language) => localStorage.setItem("langType", language), lang);
    await portal.logInAsDemo(page, "周建平");
    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    await page
      .getByRole("link", { name: /24\.2|21\.4/ })
      .first()
      .click();
    await page.waitForURL(/environment\/unit/);
    // The page before has headings, too: what only this one has must have come.
    await page.locator("#history-title").waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });
});
