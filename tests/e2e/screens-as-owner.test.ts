import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { type CrawlWay, crawl } from "../harness/crawl.ts";
import { usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();

/** The own centre with the orders, and one screen that only the group may see, which says so; in `npm run test:long` all. */
const only = volume({ short: /^\/selfCenter|^\/workOrder|^\/service|^\/system\/user|^\/[^/]+$/, long: /^/ });

/** Each width with one of the two themes and one of the two languages; the other account has them the other way round. English, whose
 * words are the longer ones, is looked at in all widths, Chinese in `npm run test:long`. */
const ways: CrawlWay[] = [
  {
    account: "farm",
    width: 1440,
    alsoAt: [1366, 1024],
    colorScheme: "light",
    lang: "en",
    only,
    // Of kinds of devices tests/e2e/kinds.test.ts has the pages; their lists and settings are of one kit.
    axeElsewhere: volume({ short: /^\/selfCenter\/(biosafety|clean)\//, long: /^$/ }),
  },
  {
    account: "farm",
    width: 390,
    alsoAt: volume({ short: [], long: [1366, 1024] }),
    colorScheme: "dark",
    lang: "zh",
    // The others are looked at by the administrator's crawl in both themes and languages; the kinds of devices have their screens of a kit.
    only: volume({ short: /^\/selfCenter\/(vet|home|members)|^\/system\/user/, long: /^/ }),
  },
];

describe.skipIf(foundBrowser === undefined)("every screen as an owner of farms", () => {
  test.each(ways)("$width px, $colorScheme, $lang", async (way) => {
    expect.hasAssertions();
    await crawl(portal, way);
  });
});
