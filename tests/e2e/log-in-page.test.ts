import { describe, expect, test } from "vitest";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { phone } from "../harness/departments.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the log-in page", () => {
  test.each([
    [1366, 768, {}],
    [360, 640, phone],
  ] as const)("has its button in sight at %i by %i px", async (width, height, device) => {
    const context = await portal.newContext({ ...device, viewport: { width, height } });
    for (const lang of ["zh", "en"]) {
      const { page } = await openPage(context);
      await page.goto(`${portal.address}/login?lang=${lang}`);
      const button = page.locator(".form-box .submit");
      await button.waitFor();
      const { y, height: own } = (await button.boundingBox()) ?? { y: Number.NaN, height: 0 };
      expect(y + own, lang).toBeLessThanOrEqual(height);
      await page.close();
    }
    await context.close();
  });

  test.each(["/login", "/register", "/selfCenter/home", "/barn"])(
    "%s says without scripts that it needs them",
    async (path) => {
      const context = await portal.newContext({ javaScriptEnabled: false });
      const { page } = await openPage(context);
      await page.goto(portal.address + path);
      const told = page.locator(".needs-scripts");
      await told.waitFor();
      expect(await told.innerText()).toContain("这一页要用浏览器的 JavaScript");
      expect(await page.locator(".skeleton:visible").count()).toBe(0);
      await told.locator("a[href='/service/productApply']").click();
      await page.getByRole("heading", { level: 1, name: "申请服务" }).waitFor();
      await context.close();
    },
  );
});
