import type { Device } from "@herdwise/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
import { openAs, words } from "../harness/journeys.ts";
import { usePortal } from "../harness/portal.ts";
import { simulated } from "../harness/simulated.ts";

const portal = usePortal();
const serial = "ENV-DG2-11";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.skipIf(foundBrowser === undefined)("a day replayed on the drawing of a unit", () => {
  let path: string;
  let now: number;
  const [calm = {}] = simulated("environment");
  beforeAll(async () => {
    const found = await apiOf(
      portal,
      "heqing",
    )<{ records: Device[] }>(`/api/muyuan-iot/device/page?size=10&name=${serial}`);
    path = `/selfCenter/vet/environment/unit?id=${found.records[0]?.unitId}`;
    now = Math.floor(Date.now() / minuteMs) * minuteMs;
    // A hot hour five hours ago, and nothing for an hour before it.
    const values = Array.from({ length: 9 }, (_, at) => at).flatMap((hour) =>
      hour === 6
        ? []
        : [2, 1, 0].map((ago) => ({
            ts: now - hour * hourMs - ago * minuteMs,
            values: { ...calm, t_in: hour === 5 ? 33.3 : 20.2, t1: hour === 5 ? 34.4 : 20.4, fan_1: hour !== 5 },
          })),
    );
    await publish(
      portal,
      serial,
      "telemetry",
      values.toSorted((a, b) => a.ts - b.ts),
    );
  });

  test.each([
    ["zh", 1366, "light"],
    ["en", 390, "dark"],
  ] as const)("shows what was then, in %s at %i px", async (lang, width, colorScheme) => {
    const { say } = words(lang);
    const { context, page, problems } = await openAs(portal, "heqing", { lang, width, colorScheme });
    await page.goto(portal.address + path);
    const drawing = page.locator("svg.drawing.sec");
    await drawing.getByText("20.4").waitFor();
    await page.getByRole("button", { name: say("重放") }).click();
    await page.waitForURL((url) => url.searchParams.has("at"));
    const slider = page.getByRole("slider", { name: say("重放到几点") });
    const moveTo = async (atMs: number): Promise<void> => {
      await slider.fill(String(atMs));
      await slider.press("Tab");
      await page.waitForURL((url) => url.searchParams.get("at") === String(atMs));
    };
    await moveTo(now - 5 * hourMs);
    await drawing.getByText("34.4").waitFor();
    // By keys a minute at a time: one minute earlier it was as hot, five hours earlier nothing was heard.
    await slider.press("ArrowLeft");
    await page.waitForURL((url) => url.searchParams.get("at") === String(now - 5 * hourMs - minuteMs));
    await drawing.getByText("34.4").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await lookAt(page, "replay of a unit", { width, alsoAt: [], lang, colorScheme });
    await moveTo(now - 6 * hourMs);
    await drawing.getByText("--").first().waitFor();
    expect(await drawing.getByText("20.4").count()).toBe(0);

    // The link shows somebody else the same moment.
    await moveTo(now - 5 * hourMs);
    await page.reload();
    await drawing.getByText("34.4").waitFor();
    await page.getByRole("button", { name: say("播放") }).click();
    await drawing.getByText("20.4").waitFor();
    await page.getByRole("button", { name: say("回到现在") }).click();
    await page.waitForURL((url) => !url.searchParams.has("at"));
    await slider.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await context.close();
  });
});
