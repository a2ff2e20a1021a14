import { describe, expect, test } from "vitest";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("in English no text is without a translation", () => {
  test.each(["/index", "/no/such/page", "/login", "/register", "/findPass", "/findAcc"])("%s", async (path) => {
    const context = await portal.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${path}?lang=en`);
    await page.locator("h1").first().waitFor();
    await expectEnglish(page, path);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await expectEnglish(page, `${path}, ${await tab.innerText()}`);
    }
    await context.close();
  });

  test("a unit page, a device in its drawer, and what Ctrl-K finds", async () => {
    const context = await portal.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/login?lang=en`);
    await page.getByRole("button", { name: /Owner of 3 farms/ }).click();
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    await page.locator("a.tile").first().click();
    await page.waitForURL(/environment\/unit/);
    await page.locator("h1").first().waitFor();
    await expectEnglish(page, "unit");
    await page.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    await page.locator("tbody tr").first().getByRole("button").first().click();
    await page.getByText("Registration", { exact: true }).waitFor();
    await expectEnglish(page, "drawer");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    // Found by what is shown and by what was entered.
    for (const word of ["Zhoujiaying", "周家营"]) {
      await page.locator(".palette input").fill(word);
      await page.locator(".palette [role=option]").getByText("Zhoujiaying").first().waitFor();
      await expectEnglish(page, `found by ${word}`, word);
    }
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("what is opened first has an English dictionary of its own", () => {
  test.each(["/selfCenter/home", "/selfCenter/vet/environment/overview", "/selfCenter/clean/dosingStation/overview"])(
    "%s says all of it, and the next screen waits for the whole one",
    async (path) => {
      const context = await portal.signedIn("farm", { viewport: { width: 1366, height: 900 } });
      await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
      const { page, problems } = await openPage(context);
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      let asked = 0;
      await page.route("**/i18n/i18n_en.json", async (route) => {
        asked += 1;
        await opened;
        await route.continue();
      });
      await page.goto(portal.address + path);
      await page
        .locator(path.endsWith("home") ? ".farm-rows li" : "main .units-board")
        .first()
        .waitFor();
      await expectEnglish(page, path);
      expect(asked).toBe(1);
      const next = page.getByRole("link", { name: "All devices", exact: true }).first();
      if (path.endsWith("home")) {
        await next.click();
        await page.waitForURL(/allDevices/);
        await page.locator(".app[aria-busy=true]").waitFor();
        open();
        await page.getByRole("heading", { level: 1, name: "All devices" }).waitFor();
        await expectEnglish(page, "the next screen");
      }
      open();
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
