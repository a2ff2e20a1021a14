import { type BidRoom, lotOffers, lots } from "@herdwise/contract";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { type Api, apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { dayIn, service } from "../harness/trade.ts";

const portal = usePortal();
const salesAccount = "holds-lots";
/** A kind of pigs whose sales model no other test sets up. */
const category = "sow";
/** Customers who bid: on a phone, and at a desk. */
const [phoneOwner, deskOwner] = ["farm", "sunli"];
/** Their names, which nobody sees before the close. */
const names = ["中原牧业", "柳河", "Zhongyuan", "Liuhe"];

/** Holds what every page is held to. */
async function looked(page: Page, lang: Way["lang"], what: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await cutTextsOn(page)).toEqual([]);
  expect(await widerThanWindow(page)).toBe(0);
  if (lang === "en") await expectEnglish(page, what);
}

describe.skipIf(foundBrowser === undefined)("a lot", () => {
  let admin: Api;
  let sales: Api;
  let field: string;
  let client: pg.Client;
  beforeAll(async () => {
    await portal.copyOf("kefu01", salesAccount);
    client = new pg.Client({ connectionString: portal.databaseUrl });
    await client.connect();
    await client.query(
      `insert into membership_roles (membership_id, role_id)
       select m.id, r.id from memberships m join accounts a on a.id = m.account_id join roles r on r.tenant_id = m.tenant_id
        where a.account = $1 and r.role_alias = 'sales' on conflict do nothing`,
      [salesAccount],
    );
    [admin, sales] = [apiOf(portal, "admin"), apiOf(portal, salesAccount)];
    const added = await admin<{ id: string }>(`${service}/field/submit`, {
      fieldCode: "E2E-BID",
      fieldName: "South gate",
      fieldType: "commercial",
      principal: "Zhou",
      contactPhone: "13800000098",
      regionCode: "411325",
    });
    field = added.id;
    const validFrom = dayIn(0);
    await admin(`${service}/loading-slot/submit`, {
      slotName: "South gate every day",
      fieldId: field,
      weekday: "daily",
      kind: "open",
      times: "08:00-10:00",
      mostVehicles: 40,
      headsPerVehicle: 120,
      validFrom,
    });
    await admin(`${service}/sales-model/submit`, {
      modelName: "South gate sows by bids",
      category,
      mode: "bidding",
      participants: ["personal", "enterprise"],
      leastHeads: 5,
      mostHeads: 500,
      depositFen: 5000,
      bidStepFen: 5,
      softCloseMinutes: 2,
      validFrom,
    });
  });
  afterAll(() => client?.end());

  const send = (api: Api, path: string, body: object) => api<{ id: string }>(`${service}/${path}`, body);
  /** A lot of 100 heads at a reserve of 14.00 that is open for some more seconds. */
  const openLot = async (seconds: number): Promise<string> => {
    const plan = await send(sales, "plan/submit", {
      field,
      day: dayIn(3),
      category,
      fromKg: 110,
      toKg: 120,
      heads: 100,
      mode: "bidding",
    });
    await send(admin, "plan/approve", { id: plan.id, version: 1 });
    await send(sales, "plan/publish", { id: plan.id, version: 2 });
    const times = { bidOn: dayIn(1), bidTimes: "09:00-10:00" };
    const lot = await send(sales, "lot/submit", { plan: plan.id, heads: 100, reservePerKg: 1400, ...times });
    await client.query(
      "update lots set opens_at = now() - interval '1 hour', ends_at = clock_timestamp() + make_interval(secs => $2) where id = $1",
      [lot.id, seconds],
    );
    return lot.id;
  };
  /** The desk takes a deposit in, by two people. */
  const takenIn = async (deposit: string): Promise<void> => {
    const said = { amountFen: 500_000, bankReference: `E2E-${deposit}`, receivedOn: dayIn(0) };
    await send(sales, "deposit/record", { id: deposit, version: 1, ...said });
    await send(admin, "deposit/confirm", { id: deposit, version: 2 });
  };

  test("is bid for on a phone that loses its network, and at a desk; staff see names after the close", async () => {
    const unsold = await openLot(1);
    const lot = await openLot(110);
    const rival = apiOf(portal, deskOwner);
    await takenIn((await send(rival, "deposit/submit", { lot })).id);
    const roomAt = (menu: { path: string }): string => `${portal.address}${menu.path}?room=${lot}`;
    const room = (api: Api) => api<BidRoom>(`${service}/bid/room?lot=${lot}`);

    // On the phone the deposit comes first.
    const { say, like } = words("en");
    const phone = await openAs(portal, phoneOwner, { lang: "en", width: 390 });
    await phone.page.goto(`${portal.address}${lotOffers.menu.path}?row=${lot}`);
    const drawer = phone.page.getByRole("complementary").or(phone.page.getByRole("dialog")).last();
    await drawer.getByRole("link", { name: say("进入竞价") }).click();
    await phone.page.waitForURL(/room=/);
    const dock = phone.page.getByRole("region", { name: say("出价栏") });
    await dock.getByRole("button", { name: say("缴保证金 {money} 元", { money: "5,000.00" }) }).click();
    await dock.getByRole("link", { name: like("保证金") }).waitFor();
    const depositOf = async () =>
      (await sales<{ records: { id: string; state: string }[] }>(`${service}/deposit/page?lot=${lot}`)).records.find(
        ({ state }) => state === "awaited",
      )?.id ?? "";
    await takenIn(await depositOf());

    // Two presses bid, and the first one says what it comes to.
    await dock.getByRole("button", { name: say("出价 {price} 元/kg", { price: "14.00" }) }).click();
    await dock.getByText("100 head × 115 kg × 14.00 = 161,000.00 yuan").waitFor();
    expect((await room(sales)).lastSeq).toBe(0);
    await phone.page.waitForTimeout(400);
    await dock.getByRole("button", { name: say("再按一次确认 {price}", { price: "14.00" }) }).click();
    await dock.getByText(say("您领先"), { exact: true }).waitFor();
    expect(await dock.getByRole("button").isDisabled()).toBe(true);
    await phone.page.getByText(like("此刻出价，结束延到 {time}，第 {count}/{most} 次。")).waitFor();

    // At the desk somebody bids more, which the phone hears of at once.
    const desk = await openAs(portal, deskOwner, { lang: "zh", width: 1440 });
    await desk.page.goto(roomAt(lotOffers.menu));
    await desk.page.getByRole("textbox", { name: "我的出价，元/kg" }).fill("14.10");
    await desk.page.getByRole("button", { name: "出价 14.10 元/kg" }).click();
    await desk.page.waitForTimeout(400);
    await desk.page.getByRole("button", { name: "再按一次确认 14.10" }).click();
    await dock.getByText(like("我第 {place} 位，差 {gap}")).waitFor();
    await phone.page.getByText(say("已延长 {count} 次", { count: 2 })).waitFor();
    await looked(phone.page, "en", "the room");
    await looked(desk.page, "zh", "the room");

    // Without a network nothing can be bid, and the time may be longer than it says.
    await phone.context.setOffline(true);
    const offline = dock.getByRole("button", { name: say("断线时不能出价，正在重连") });
    await offline.waitFor();
    expect(await offline.isDisabled()).toBe(true);
    await dock.getByText(say("至少"), { exact: true }).waitFor();
    await phone.page.getByRole("heading", { name: say("剩余，至少") }).waitFor();
    await desk.page.getByRole("textbox", { name: "最高限价，元/kg" }).fill("14.20");
    await desk.page.getByRole("button", { name: "提高最高限价" }).click();
    await desk.page.waitForTimeout(400);
    await desk.page.getByRole("button", { name: /^再按一次确认/ }).click();
    await desk.page.getByText("最高限价改为 14.20").waitFor();

    // Back again, the phone is answered by the secret limit, and wins above it.
    await phone.context.setOffline(false);
    const bidOnPhone = async (price: string): Promise<void> => {
      await dock.getByRole("button", { name: say("出价 {price} 元/kg", { price }) }).click({ timeout: 40_000 });
      await phone.page.waitForTimeout(400);
      await dock.getByRole("button", { name: say("再按一次确认 {price}", { price }) }).click();
      await dock
        .getByText(say("{price} 已受理", { price }))
        .or(dock.getByText(say("您领先"), { exact: true }))
        .waitFor();
    };
    await bidOnPhone("14.15");
    await dock.getByText(like("我第 {place} 位，差 {gap}")).waitFor();
    // What the other one was ready to pay is nowhere on the phone.
    expect(await phone.page.locator("main").innerText()).not.toContain("Secret limit is");
    // The answer to the next bid is lost on its way: the room says that it was taken, and it is not sent again.
    let sent = 0;
    await phone.page.route("**/bid/submit", async (route) => {
      sent += 1;
      await route.fetch();
      await route.abort();
    });
    await bidOnPhone("14.25");
    await dock.getByText(say("您领先"), { exact: true }).waitFor();
    expect(sent).toBe(1);
    const before = await room(apiOf(portal, phoneOwner));
    expect(before).toMatchObject({
      bestPerKg: 1425,
      own: { place: 1 },
      ranking: [{ fenPerKg: 1425 }, { fenPerKg: 1420 }],
    });

    // Staff see numbers alone, and may strike a bid; then the lot ends.
    const staff = await openAs(portal, salesAccount, { lang: "zh", width: 1440 });
    await staff.page.goto(roomAt(lots.menu));
    await staff.page.getByRole("button", { name: "取消这口" }).nth(3).waitFor();
    for (const { page } of [phone, desk, staff]) {
      const text = await page.locator("main").innerText();
      for (const name of names) expect(text).not.toContain(name);
    }
    await looked(staff.page, "zh", "the console");
    await client.query("update lots set ends_at = clock_timestamp() + interval '1 second' where id = $1", [lot]);
    await staff.page.reload();
    await phone.page.reload();
    await phone.page
      .getByText(say("已截止，定标中"))
      .or(phone.page.getByText(say("您已中标")))
      .first()
      .waitFor();
    await dock.getByRole("link", { name: say("去订单付款") }).waitFor({ timeout: 80_000 });
    await desk.page.getByText("未中标").first().waitFor();
    await staff.page.getByText("已定标，等中标人付款。").waitFor();
    await staff.page.getByText("中原牧业有限公司").first().waitFor();
    await staff.page.getByText("记录完整").waitFor();
    await staff.page.getByText(/服务器和这台电脑各算一遍/).waitFor();
    await looked(phone.page, "en", "the won lot");
    await looked(desk.page, "zh", "the lost lot");
    await looked(staff.page, "zh", "the award");
    // The page looked once, although it shows and checks the record.
    const looks = await client.query("select from audit_entries where row_id = $1 and action = 'view'", [lot]);
    expect(looks.rowCount).toBe(1);

    // A lot that nobody bid for says so.
    const other = await openAs(portal, salesAccount, { lang: "en", width: 390 });
    await other.page.goto(`${portal.address}${lots.menu.path}?room=${unsold}`);
    await other.page.getByText(say("没有人出价，没有成交，头数退回计划。")).waitFor();
    await looked(other.page, "en", "the lot without a bid");
    // What a network that was cut off says of itself is no fault of the page.
    const faults = [phone, desk, staff, other].flatMap(({ problems }) => problems);
    expect(faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault))).toEqual([]);
    await Promise.all([phone, desk, staff, other].map(({ context }) => context.close()));
  }, 240_000);
});
