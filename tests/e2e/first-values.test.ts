import { type KindFarm, kindOverview } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** Units of the first house, as an answer tells them: one that speaks, and three of which there is no value now. */
const told = ["speaks", "old", "offline", "empty"] as const;

/** The first farm with one house of four units; a name that would be an element if it were taken for one. */
function farmsToldAt(farms: readonly KindFarm[], now: number): KindFarm[] {
  const [farm] = farms.filter(({ houses }) => houses.length > 0);
  const [house] = farm?.houses ?? [];
  const [unit] = house?.units ?? [];
  if (!farm || !house || !unit) throw new Error("the demo has no farm with a unit");
  const units = told.map((which, at) => {
    const reportedAtMs = which === "old" ? now - 301_000 : now - 1000;
    return {
      ...unit,
      id: String(at + 1),
      name: `${at + 1} 单元`,
      mode: which === "empty" ? ("empty" as const) : ("normal" as const),
      status: which === "offline" ? ("offline" as const) : ("online" as const),
      reportedAtMs,
      readings: { t_in: { value: 21.25 + at, ts: reportedAtMs } },
      more: [],
    };
  });
  return [{ ...farm, name: "<img src=x onerror=document.title='taken'>", houses: [{ ...house, units }], devices: [] }];
}

describe.skipIf(foundBrowser === undefined)("first values on a slow phone", () => {
  test.each([
    ["/selfCenter/home", "2 / 4 个单元在上报 21.3 ℃"],
    ["/selfCenter/vet/environment/overview", "1 21.3℃ 2 — 3 — 4 —"],
  ])(
    "%s: stand on the page before any script file is here, and nothing that is old or masked does",
    async (path, words) => {
      const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
      const { page, problems } = await openPage(context);
      await page.route(`**${kindOverview.path}?*`, async (route) => {
        const answer = await route.fetch();
        const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
        await route.fulfill({ response: answer, json: { ...envelope, data: farmsToldAt(data, Date.now()) } });
      });
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      await page.route("**/assets/*.js", async (route) => {
        await opened;
        await route.continue();
      });
      await page.goto(portal.address + path, { waitUntil: "commit" });
      const values = page.locator(".first-values");
      await values.locator(".value").first().waitFor();
      const text = (await values.innerText()).replace(/\s+/g, " ");
      expect.soft(text).toContain(words);
      expect.soft(text).toContain("<img src=x");
      expect.soft(text.match(/22\.3|23\.3|24\.3/)).toBeNull();
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      // The screen itself takes their place, and React is content with what it finds.
      open();
      await page
        .locator(path.endsWith("home") ? ".console-lead:not([aria-busy])" : "a.tile")
        .first()
        .waitFor();
      expect(await values.count()).toBe(0);
      expect(await page.title()).not.toBe("taken");
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  test("a refused answer draws nothing", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    await page.route(`**${kindOverview.path}?*`, async (route) => {
      const answer = await route.fetch();
      const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
      await route.fulfill({ status: 401, json: { ...envelope, data: farmsToldAt(data, Date.now()) } });
    });
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`${portal.address}/selfCenter/home`, { waitUntil: "commit" });
    // After what waits for the answer in the document, which was there first.
    await page.waitForFunction(`(async () => {
      await Promise.all(Object.values(globalThis.askedAhead.answers));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return true;
    })()`);
    expect(await page.locator(".first-values").innerHTML()).toBe("");
    await context.close();
  });
});
