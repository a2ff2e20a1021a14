import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { type CrawlWay, crawl } from "../harness/crawl.ts";
import { usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();

/** All but those of the kinds of devices, which are the same for the farms' owner; in `npm run test:long` those, too. */
const only = volume({ short: /^(?!\/selfCenter\/(vet\/[^/]+|biosafety|clean)\/)/, long: /^/ });

/** Each width with one of the two themes and one of the two languages; the other account has them the other way round. English, whose
 * words are the longer ones, is looked at in all widths, Chinese in `npm run test:long`. */
const ways: CrawlWay[] = [
  {
    account: "admin",
    width: 1440,
    alsoAt: volume({ short: [], long: [1366, 1024] }),
    colorScheme: "dark",
    lang: "zh",
    only,
    // Desktops in Chinese are what screens are made at: a third of them here, all in `npm run test:long`.
    share: volume({ short: 3, long: 1 }),
  },
  {
    account: "admin",
    width: 390,
    alsoAt: [1366, 1024],
    // A customer's screens have something in them for the farms' owner, whose crawl looks at them by axe and at these widths.
    mainly: volume({ short: /^(?!\/selfCenter\/)/, long: /^/ }),
    colorScheme: "light",
    lang: "en",
    only,
  },
];

describe.skipIf(foundBrowser === undefined)("every screen as the group's administrator", () => {
  test.each(ways)("$width px, $colorScheme, $lang", async (way) => {
    expect.hasAssertions();
    await crawl(portal, way);
  });
});
