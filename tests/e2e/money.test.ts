import { bankLines } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import pg from "pg";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { dayIn } from "../harness/trade.ts";

const portal = usePortal();
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
};

/** Holds what every page is held to. */
async function looked(page: Page, lang: Way["lang"], what: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await cutTextsOn(page)).toEqual([]);
  expect(await widerThanWindow(page)).toBe(0);
  if (lang === "en") await expectEnglish(page, what);
}

describe.skipIf(foundBrowser === undefined)("money of the trade", () => {
  test.each([
    { lang: "zh", width: 1440 },
    { lang: "en", width: 390 },
  ] as const)("a line of the bank's statement is matched with one press: $lang, $width px", async ({ lang, width }) => {
    const { say } = words(lang);
    const [due] = await query<{ id: string; number: string; amount: number }>(
      `select id::text, number, amount_fen::float8 as amount from payments
        where state = 'awaited' and kind = 'prepayment' order by id desc limit 1`,
    );
    if (due === undefined) throw new Error("the demo has no payment that is awaited");
    const bankReference = `E2E-${lang}-${due.id.slice(-6)}`;
    const line = { bankReference, bookedOn: dayIn(0), direction: "in", amountFen: due.amount, summary: due.number };
    await apiOf(portal, "admin")(`${bankLines.path}/submit`, line);
    const { context, page } = await openAs(portal, "admin", { lang, width });
    await page.goto(`${portal.address}${bankLines.menu.path}?q=${bankReference}`);
    await page.getByText(bankReference).first().click();
    const drawer = page.getByRole("complementary").or(page.getByRole("dialog")).last();
    const press = drawer.getByRole("button", { name: say("就是这单：{number}", { number: due.number }) });
    await press.waitFor();
    await looked(page, lang, "the drawer of a line of the statement");
    await press.click();
    await drawer.getByRole("link", { name: due.number }).waitFor();
    const [row] = await query<{ state: string; reference: string }>(
      "select state, bank_reference as reference from payments where id = $1",
      [due.id],
    );
    expect(row).toEqual({ state: "recorded", reference: bankReference });
    await context.close();
  });

  test.each([
    { lang: "zh", width: 1440 },
    { lang: "en", width: 390 },
  ] as const)("a customer reads the statement of a month: $lang, $width px", async ({ lang, width }) => {
    const { say } = words(lang);
    const month = shanghaiDay(Date.now() - 31 * 86_400_000).slice(0, 7);
    const { context, page } = await openAs(portal, "farm", { lang, width });
    await page.goto(`${portal.address}/order/statement?month=${month}`);
    await page.getByRole("heading", { name: say("对账单"), level: 2 }).waitFor();
    const table = page.getByRole("region", { name: say("往来单据") }).getByRole("row");
    expect(await table.count()).toBeGreaterThan(5);
    await page.getByText(say("合计与期末余额")).waitFor();
    await looked(page, lang, "the statement of a customer");
    await context.close();
  });
});
