import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { type CrawlWay, crawl, crawlLimitMs } from "../harness/crawl.ts";
import { usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();

/** A laptop, a tablet, and the laptop with its pages at 200 % zoom. */
const otherWidths = [1366, 1024, 683];

/** Each width with one of the two themes and one of the two languages; the farms' owner has them the other way round. */
const ways: CrawlWay[] = (
  [
    { width: 1440, alsoAt: volume({ short: [], long: otherWidths }), colorScheme: "dark", lang: "zh", parts: 6 },
    { width: 390, alsoAt: otherWidths, colorScheme: "light", lang: "en", parts: 6 },
  ] as const
).map((way) => ({ ...way, account: "admin", refused: "/selfCenter/members" }));

describe.skipIf(foundBrowser === undefined)("every screen as the group's administrator", () => {
  test.each(ways)("$width px, $colorScheme, $lang", { timeout: crawlLimitMs }, async (way) => {
    expect.hasAssertions();
    await crawl(portal, way);
  });
});
