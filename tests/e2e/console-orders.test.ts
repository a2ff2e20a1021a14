import { orders } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs, words } from "../harness/journeys.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the card of orders on the console", () => {
  test.each(["zh", "en"] as const)(
    "%s: a customer with orders of pigs reads how many, and goes to them",
    async (lang) => {
      const { say } = words(lang);
      const { total } = await apiOf(portal, "farm")<{ total: number }>(`${orders.path}/page?current=1&size=1`);
      expect(total).toBeGreaterThan(1);
      const { context, page } = await openAs(portal, "farm", { lang, width: 390 });
      await page.goto(`${portal.address}/selfCenter/home`);
      const card = page.getByRole("region", { name: say("我的订单"), exact: true });
      await card.getByRole("link", { name: say("{count} 笔生猪订单", { count: String(total) }) }).click();
      await page.getByRole("heading", { level: 1, name: say("生猪订单") }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/order/order");
      expect(await card.count()).toBe(0);
      await context.close();
    },
  );
});
