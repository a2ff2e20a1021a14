import { telemetrySeries } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const dayMs = 86_400_000;
/** Length of a frame at 60 a second, ms. */
const frameMs = 1000 / 60;

/** Notes how long each frame is; `stop` answers with their lengths in ms. */
const watchFrames = `(() => {
  const lengths = [];
  let last = performance.now();
  let running = true;
  const next = (now) => {
    lengths.push(now - last);
    last = now;
    if (running) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  globalThis.stopFrames = () => {
    running = false;
    return lengths.slice(1);
  };
})()`;

const quantile = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;

describe.skipIf(foundBrowser === undefined)("a chart of five years", () => {
  test("is moved by the mouse at 60 frames a second", async () => {
    const [device] = (
      await apiOf(portal, "farm")<{ records: { id: string }[] }>("/api/muyuan-iot/device/page?kind=environment&size=1")
    ).records;
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    // Five years of days of three values, as the server answers them.
    await page.route(`**${telemetrySeries.path}*`, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const end = Number(query.get("end"));
      const keys = (query.get("keys") ?? "").split(",");
      const points = Array.from({ length: 1825 }, (_, at) => {
        const mean = 20 + 4 * Math.sin(at / 58) + Math.sin(at * 1.7);
        return [end - (1825 - at) * dayMs, mean - 3, mean, mean + 3];
      });
      const series = keys.map((key) => ({ id: query.get("ids"), key, points }));
      await route.fulfill({ json: { code: 200, success: true, msg: "", data: { resolution: "day", series } } });
    });
    await page.goto(
      `${portal.address}/selfCenter/vet/dataAnalysis?kind=environment&of=${device?.id}&show=t_in,rh,nh3&days=1825`,
    );
    const chart = page.locator("section.chart");
    await chart.locator("svg").waitFor();
    await settled(page);
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not there");
    const [x, y] = [box.x + box.width / 2, box.y + 100];
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    for (let times = 0; times < 6; times += 1) await page.mouse.wheel(0, -240);
    await page.keyboard.up("Control");
    const frames = async (work: () => Promise<void>): Promise<number[]> => {
      await page.evaluate(watchFrames);
      await work();
      return page.evaluate<number[]>("stopFrames()");
    };
    const still = await frames(() => page.waitForTimeout(1000));
    const before = await chart.innerHTML();
    const moving = await frames(async () => {
      await page.mouse.down();
      for (let step = 0; step < 90; step += 1) {
        await page.mouse.move(x + 240 * Math.sin(step / 14), y);
        await page.evaluate("new Promise(requestAnimationFrame)");
      }
      await page.mouse.up();
    });
    expect(await chart.innerHTML(), "the chart moved").not.toBe(before);
    const told = `still ${quantile(still, 0.95).toFixed(1)} ms, moving ${quantile(moving, 0.5).toFixed(1)} ms, 95 of 100 within ${quantile(moving, 0.95).toFixed(1)} ms`;
    console.log(told);
    // A machine that draws nothing at 60 frames a second does not do so while it moves a chart.
    expect(quantile(moving, 0.5), told).toBeLessThanOrEqual(Math.max(frameMs, quantile(still, 0.95)) * 1.1);
    await context.close();
  });
});
