import pg from "pg";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { publish } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const screen = "/selfCenter/equipmentManage/commissioning";
/** A unit of the demo by its controller, and what a test does to its rows. */
async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
const unitOf = async (serialNumber: string): Promise<string> =>
  (await query<{ id: string }>("select unit_id::text as id from devices where serial_number = $1", [serialNumber]))[0]
    ?.id ?? "";
const small = { viewport: { width: 390, height: 844 } };

describe.skipIf(foundBrowser === undefined)("commissioning", () => {
  test("a phone answers without a network, and the server measures a sensor in the hand", async () => {
    const account = "com-owner";
    await portal.copyOf("farm", account);
    const context = await portal.signedIn(account, small);
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${screen}`);
    await page.getByText("没调试过").first().waitFor();
    await page.goto(`${portal.address}${screen}?unit=${await unitOf("ENV-ZJY-10")}`);
    await page.getByRole("button", { name: "开始调试" }).click();
    await page.getByRole("heading", { name: "标签和位置对得上" }).waitFor();
    // The other devices of the unit come first in the alphabet of kinds.
    await page.getByRole("button", { name: "标签和位置对得上" }).last().click();
    const serial = (await page.locator("#check-title + p .num").textContent()) ?? "";
    const narrow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(narrow).toBeLessThanOrEqual(0);
    await page.getByLabel("标签上的序列号").fill(serial.toLowerCase());
    await page.getByRole("button", { name: "核对" }).click();
    await page.locator("[data-result=passed]").waitFor();

    await context.setOffline(true);
    await page.getByRole("button", { name: "下一项" }).click();
    await page.getByRole("heading", { name: "装牢、线收好" }).waitFor();
    await page.getByRole("button", { name: "是，装好了" }).click();
    await page.getByText("等网络发出").waitFor();
    await context.setOffline(false);
    await page.evaluate(`window.dispatchEvent(new Event("online"))`);
    await page.locator("[data-result=passed]").waitFor();
    expect(await page.getByText("等网络发出").count()).toBe(0);

    await page
      .getByRole("button", { name: /1 号探头没有接反/ })
      .first()
      .click();
    await publish(portal, serial, "telemetry", { ts: Date.now() - 1000, values: { t1: 20, t2: 20, t3: 20, t4: 20 } });
    await page.getByRole("button", { name: "我握住了，开始" }).click();
    await page.locator("[data-result=running]").waitFor();
    await publish(portal, serial, "telemetry", { ts: Date.now(), values: { t1: 20, t2: 22.5, t3: 20, t4: 20 } });
    await page.getByText("握住的没升，2 号探头升了").waitFor();
    await page.getByRole("link", { name: "提交工单，附最近 24 小时数据" }).waitFor();
    await context.close();
  });

  test("a list is signed in English, shows its hash, and the unit says by whom", async () => {
    const account = "com-signer";
    await portal.copyOf("farm", account);
    const context = await portal.signedIn(account, { viewport: { width: 1366, height: 768 }, locale: "en" });
    await context.addInitScript(`localStorage.setItem("language", "en")`);
    const { page } = await openPage(context);
    const unit = await unitOf("ENV-ZJY-11");
    await page.goto(`${portal.address}${screen}?unit=${unit}`);
    await page.getByRole("button", { name: /Begin commissioning|开始调试/ }).click();
    await page.locator("#check-title").waitFor();
    await query(
      "update commissioning_items i set result = 'passed', answered_at = now() from commissionings c where c.id = i.commissioning_id and c.unit_id = $1",
      [unit],
    );
    await page.reload();
    const sign = { name: /^(Sign|签字)$/ };
    await page.getByRole("button", sign).click();
    await page.getByRole("alertdialog").getByRole("button", sign).click();
    await page
      .getByText(/[0-9a-f]{64}/)
      .first()
      .waitFor();
    await page.getByText(/Verified just now|刚核对过/).waitFor();
    await page.getByRole("link", { name: /This unit|这个单元/ }).click();
    await page.getByText(/Commissioned on .* signed by|调试签字/).waitFor();
    await context.close();
  });
});
