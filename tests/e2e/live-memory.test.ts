import { describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { connectDevice } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const minuteMs = 60_000;

/** Minutes that a page stays open by its own clock, with a message in each. */
const minutes = volume({ short: 90, long: 8 * 60 });
/** What charts and caches take until they are full is over by then. */
const warmUp = Math.floor(minutes / 3);
/** What may be left of all the messages after the warm-up, MB: a point of each curve for each of them. */
const growthMegabytes = 2;

describe.skipIf(foundBrowser === undefined)("a page that stays open", () => {
  test(
    `takes a message a minute for ${minutes} minutes, and its memory stays where it is`,
    async () => {
      const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
      const { page, problems } = await openPage(context);
      await page.clock.install({ time: Date.now() });
      await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
      await page.locator("a.tile").first().waitFor();
      const device = await connectDevice(portal, "ENV-LHF-02");
      const begun = Date.now() - minutes * minuteMs;
      const send = (minute: number, t_in: number) =>
        device.publishAsync(
          "v1/devices/me/telemetry",
          JSON.stringify({ ts: begun + minute * minuteMs, values: { t_in, rh: 60 + (minute % 9), nh3: minute % 7 } }),
          { qos: 1 },
        );
      await send(0, 11.1);
      const tile = page.locator("a.tile", { hasText: "11.1" });
      await tile.waitFor();
      await tile.click();
      await page.waitForURL(/environment\/unit\?id=/);
      await settled(page);
      const cdp = await context.newCDPSession(page);
      const heap = async (): Promise<number> => {
        await cdp.send("HeapProfiler.collectGarbage");
        const { usedSize } = await cdp.send("Runtime.getHeapUsage");
        return usedSize / 1e6;
      };
      let before = 0;
      for (let minute = 1; minute <= minutes; minute += 1) {
        const shown = 15 + (minute % 97) / 10;
        await send(minute, shown);
        await page.clock.fastForward(minuteMs);
        if (minute === warmUp || minute % 10 === 0)
          await page.locator(".big").first().getByText(shown.toFixed(1)).waitFor();
        if (minute === warmUp) before = await heap();
      }
      await page
        .locator(".big")
        .first()
        .getByText((15 + (minutes % 97) / 10).toFixed(1))
        .waitFor();
      // What is still being drawn or answered is let go within seconds, a leak is not.
      await expect.poll(async () => (await heap()) - before, { timeout: 20_000 }).toBeLessThan(growthMegabytes);
      // In minutes the page asks what it would ask in hours; what is refused for that it asks for again.
      expect(problems.filter((problem) => !problem.includes("status of 429"))).toEqual([]);
      await device.endAsync();
      await context.close();
    },
    volume({ short: 180_000, long: 300_000 }),
  );
});
