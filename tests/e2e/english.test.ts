import { describe, test } from "vitest";
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
