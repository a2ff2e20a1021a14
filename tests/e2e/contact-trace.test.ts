import type { FarmNode } from "@herdwise/contract";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { inTurn } from "../harness/volume.ts";

const portal = usePortal();
const hourMs = 3_600_000;
const ways = inTurn<Way>(
  [
    { lang: "zh", width: 1440, desk: 1440 },
    { lang: "en", width: 390, desk: 390 },
  ],
  2,
);

describe.skipIf(foundBrowser === undefined)("contact tracing", () => {
  test.each(ways)("from a sick unit to the last lorry: $lang, $width px", async ({ lang, width }) => {
    const { say, like } = words(lang);
    const person = `T-${lang}`;
    const showerAt = (serialNumber: string, hoursAgo: number, result: string) =>
      publish(portal, serialNumber, "events", [
        { ts: Date.now() - hoursAgo * hourMs, type: "shower", id: `${person} ${hoursAgo}`, person, result },
      ]);
    await showerAt("BAT-ZJY-01", 30, "under_time");
    await showerAt("BAT-QS-01", 10, "passed");
    const tree = await apiOf(portal, "farm")<FarmNode[]>("/api/muyuan-farm/tree/list");
    const farm = tree.find(({ name }) => name === "周家营商品场");
    const unit = farm?.houses[1]?.units[2];
    if (unit === undefined) throw new Error("the demo has no such unit");
    // A lorry of the group loaded there and then at another field.
    const plate = `TR-${lang}`;
    const client = new pg.Client({ connectionString: portal.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `select id::text from transits where tenant_id = '100002' and state in ('arrived', 'closed') and plate not like 'TR-%' order by id desc limit 2`,
    );
    for (const [at, { id }] of rows.entries())
      await client.query(
        "update transits set plate = $2, unit = $3, dried = false, departed_at = now() - $4 * interval '1 hour', arrived_at = null where id = $1",
        [id, plate, at === 0 ? unit.id : null, at === 0 ? 40 : 20],
      );
    await client.end();

    const { page, context, problems } = await openAs(portal, "farm", { lang, width });
    await page.goto(`${portal.address}/selfCenter/biosafety/trace`);
    await page.getByText(say("先选一个起点")).waitFor();
    await page.getByRole("combobox", { name: say("选一个单元") }).selectOption(unit.id);
    await page.getByRole("heading", { name: like("有 {count} 处可能被带到：{places}。") }).waitFor();
    const row = (who: string) => page.getByRole("row").filter({ hasText: who });
    await row(person)
      .filter({ hasText: lang === "zh" ? "清水保育场" : "Qingshui" })
      .first()
      .waitFor();
    await row(plate)
      .filter({ hasText: say("没烘干") })
      .first()
      .waitFor();
    await page.getByText(like("记录有缺，没有记录不等于没有接触：{sources}。")).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await cutTextsOn(page)).toEqual([]);
    expect(await widerThanWindow(page)).toBe(0);
    if (lang === "en") await expectEnglish(page, "contact tracing");
    // The choice stands in the address, and one way alone can be looked at.
    await page.getByRole("button", { name: say("从哪来") }).click();
    await page.waitForURL(/to=before/);
    expect(await page.getByRole("heading", { name: like("有 {count} 处可能被带到：{places}。") }).count()).toBe(0);
    await page.getByRole("button", { name: say("车牌"), exact: true }).click();
    await page.getByLabel(say("车牌，和转运单一样")).fill(plate);
    await page.getByRole("button", { name: say("追溯"), exact: true }).click();
    await page.getByRole("heading", { name: say("去过哪里") }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: say("去过哪里") }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
