import { declarations, offers, orders, orderView, plans, settlements, transits } from "@herdwise/contract";
import pg from "pg";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { type Api, apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { dayIn, service, washOf } from "../harness/trade.ts";
import { inTurn } from "../harness/volume.ts";

const portal = usePortal();
const ways = inTurn<Way>(
  [
    { lang: "zh", width: 1440, desk: 1440 },
    { lang: "en", width: 390, desk: 1440 },
  ],
  2,
);
const salesAccount = "sells-pigs";
/** A kind of pigs whose bands and sales model no other test sets up. */
const category = "boar";

/** Two people of the group, and the field that they sell from. */
async function desk(): Promise<{ admin: Api; sales: Api; field: string }> {
  await portal.copyOf("kefu01", salesAccount);
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  await client.query(
    `insert into membership_roles (membership_id, role_id)
     select m.id, r.id from memberships m join accounts a on a.id = m.account_id join roles r on r.tenant_id = m.tenant_id
      where a.account = $1 and r.role_alias = 'sales' on conflict do nothing`,
    [salesAccount],
  );
  await client.end();
  const admin = apiOf(portal, "admin");
  const { id: field } = await admin<{ id: string }>(`${service}/field/submit`, {
    fieldCode: "E2E-SALE",
    fieldName: "North gate",
    fieldType: "commercial",
    principal: "Zhou",
    contactPhone: "13800000099",
    regionCode: "411325",
  });
  const validFrom = dayIn(0);
  await admin(`${service}/loading-slot/submit`, {
    slotName: "North gate every day",
    fieldId: field,
    weekday: "daily",
    kind: "open",
    times: "08:00-10:00,10:00-12:00",
    mostVehicles: 40,
    headsPerVehicle: 120,
    validFrom,
  });
  await admin(`${service}/sales-model/submit`, {
    modelName: "North gate boars",
    category,
    mode: "fixed",
    participants: ["personal", "enterprise"],
    leastHeads: 5,
    mostHeads: 500,
    softCloseMinutes: 2,
    validFrom,
  });
  for (const [fromGrams, toGrams, adjustmentFen] of [
    [0, 120_000, 0],
    [120_000, 200_000, -10],
  ])
    await admin(`${service}/weight-band/submit`, {
      bandName: `Boars from ${fromGrams} g`,
      category,
      fromGrams,
      toGrams,
      adjustmentFen,
      validFrom,
    });
  return { admin, sales: apiOf(portal, salesAccount), field };
}

/** Holds what every page is held to, with the drawer of an order open. */
async function looked(page: Page, lang: Way["lang"]): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await cutTextsOn(page)).toEqual([]);
  expect(await widerThanWindow(page)).toBe(0);
  if (lang === "en") await expectEnglish(page, "the drawer of an order");
}

describe.skipIf(foundBrowser === undefined)("an order", () => {
  let admin: Api;
  let sales: Api;
  let field: string;
  beforeAll(async () => {
    ({ admin, sales, field } = await desk());
  });
  const send = (api: Api, path: string, body: object) => api<{ id: string }>(`${service}/${path}`, body);

  const published = async () => {
    const plan = await send(sales, "plan/submit", {
      field,
      day: dayIn(3),
      category,
      fromKg: 110,
      toKg: 120,
      heads: 240,
      mode: "fixed",
      pricePerKg: 1475,
    });
    await send(admin, "plan/approve", { id: plan.id, version: 1 });
    await send(sales, "plan/publish", { id: plan.id, version: 2 });
    return plan;
  };

  test("is refused to a customer without a real name, with the way to it", async () => {
    const plan = await published();
    const { context, page } = await openAs(portal, "guoht", { lang: "zh", width: 1440 });
    await page.goto(`${portal.address}${offers.menu.path}`);
    const row = page.getByRole("row").filter({ hasText: "North gate" }).first();
    await row.getByRole("link", { name: "申报购猪" }).click();
    await page.locator("#row-heads").fill("20");
    await page.getByRole("complementary").getByRole("button", { name: "申报购猪" }).click();
    await page.getByText("先完成实名认证，才能申报购猪").waitFor();
    await page.getByRole("link", { name: "去实名认证" }).waitFor();
    await context.close();
    await send(sales, "plan/close", { id: plan.id, version: 3, reason: "done" });
  });

  test.each(ways)("from the offer to the fen: $lang, $width px", async ({ lang, width, desk: deskWidth }) => {
    const { say } = words(lang);
    const plan = await published();
    const { number } = await admin<{ number: string }>(`${plans.path}/detail?id=${plan.id}`);

    const buying = await openAs(portal, "farm", { lang, width });
    const { page } = buying;
    const drawer = page.getByRole("complementary").or(page.getByRole("dialog")).last();
    await page.goto(`${portal.address}${offers.menu.path}?row=${plan.id}`);
    await drawer.getByText(number).first().waitFor();
    await drawer.getByRole("link", { name: say("申报购猪") }).click();
    // The form is for the plan that was looked at.
    await expect.poll(() => drawer.getByRole("combobox").first().inputValue()).toBe(plan.id);
    await drawer.locator("#row-heads").fill("240");
    await drawer.locator("#row-plate").fill("LU-3K627");
    await drawer.getByRole("button", { name: say("申报购猪") }).click();
    await drawer.locator("#row-heads").waitFor({ state: "detached" });

    // At the desk the declaration is accepted, which opens the order.
    const { records } = await sales<{ records: { id: string; number: string }[] }>(
      `${declarations.path}/page?plan=${plan.id}`,
    );
    const declaration = records[0]?.id ?? "";
    const selling = await openAs(portal, salesAccount, { lang, width: deskWidth });
    const deskDrawer = selling.page.getByRole("complementary").last();
    await selling.page.goto(`${portal.address}${declarations.menu.path}?row=${declaration}`);
    await deskDrawer.getByRole("button", { name: say("受理"), exact: true }).click();
    const findOrder = async () =>
      (await sales<{ records: { id: string }[] }>(`${orders.path}/page?plan=${plan.id}`)).records[0]?.id ?? "";
    await expect.poll(findOrder).not.toBe("");
    const order = await findOrder();
    await selling.page.goto(`${portal.address}${orders.menu.path}?row=${order}`);
    await deskDrawer
      .getByText(lang === "zh" ? "中原牧业有限公司" : /Zhongyuan Livestock/)
      .first()
      .waitFor();

    // What was transferred counts once a second person confirmed it.
    await page.goto(`${portal.address}${orders.customerMenu?.path}?row=${order}`);
    const due = (label: string, amount: string) =>
      drawer
        .locator("dl > div")
        .filter({ hasText: say(label) })
        .getByText(amount, { exact: true })
        .first();
    await due("还欠", "407,100.00").waitFor();
    const paymentOf = async (kind: string) =>
      (
        await sales<{ payments: { id: string; kind: string; amountFen: number }[] }>(`${orderView.path}?id=${order}`)
      ).payments.find((payment) => payment.kind === kind);
    const pay = async (kind: string) => {
      const payment = await paymentOf(kind);
      if (payment === undefined) throw new Error(`the order has no ${kind}`);
      const { id, amountFen } = payment;
      const bankReference = `E2E-${lang}-${kind}`;
      await send(sales, "payment/record", { id, version: 1, amountFen, bankReference, receivedOn: dayIn(0) });
      await send(admin, "payment/confirm", { id, version: 2 });
    };
    await pay("prepayment");
    // The form of a vehicle finds its order by the number.
    const { number: orderNumber } = await sales<{ number: string }>(`${orderView.path}?id=${order}`);
    await selling.page.goto(`${portal.address}${transits.menu.path}?row=new`);
    const orderInput = deskDrawer.locator("#row-order");
    await orderInput.fill(orderNumber);
    await selling.page.getByRole("option", { name: orderNumber }).click();
    await deskDrawer.locator("#row-plate").fill("LU-3K627");
    await deskDrawer.locator("#row-heads").fill("120");
    await deskDrawer.locator("#row-driverName").fill("马军");
    await deskDrawer.locator("#row-driverPhone").fill("13900000267");
    await deskDrawer.getByRole("button", { name: say("登记车辆"), exact: true }).click();
    const driver = { driverName: "马军", driverPhone: "13900000267" };
    await expect
      .poll(async () => (await sales<{ total: number }>(`${transits.path}/page?order=${order}`)).total)
      .toBe(1);
    await send(sales, "transit/submit", { order, plate: "LU-7D190", heads: 120, ...driver });
    const { records: vehicles } = await sales<{ records: { id: string }[] }>(`${transits.path}/page?order=${order}`);
    await page.reload();
    await drawer.getByText(say("没有登记")).nth(3).waitFor();
    for (const { id } of vehicles) await send(sales, "transit/disinfect", { id, version: 1, ...washOf() });
    await page.reload();
    await drawer
      .getByText(new RegExp(`^${washOf().disinfectionNumber}`))
      .nth(1)
      .waitFor();
    await send(sales, "order/load", { id: order, version: 2 });
    for (const [plate, grossGrams, tareGrams] of [
      ["LU-3K627", 27_340_000, 13_468_000],
      ["LU-7D190", 28_187_500, 13_680_000],
    ]) {
      const weighing = await send(sales, "weighing/submit", { order, plate, heads: 120, grossGrams, tareGrams });
      await send(admin, "weighing/confirm", { id: weighing.id, version: 1 });
    }
    await send(sales, "order/weigh", { id: order, version: 3 });
    const settlement = await send(sales, "settlement/submit", {
      order,
      deductionFen: 10_000,
      deductionReason: "2 dead",
    });
    await send(admin, "settlement/confirm", { id: settlement.id, version: 1 });

    await page.reload();
    await drawer.getByText("14,507.5 kg × 14.65 = 212,534.875 → 212,534.88").waitFor();
    await due("货款合计", "417,046.88").waitFor();
    await due("还欠", "9,946.88").waitFor();
    await looked(page, lang);

    // A stranger scans the lot's QR code, which the order shows to who sees it.
    const code = drawer.getByRole("img", { name: say("批次护照的二维码") });
    await expect
      .poll(async () => {
        await page.reload();
        await drawer.getByText(say("货款合计")).first().waitFor();
        return code.count();
      })
      .toBe(1);
    const stranger = await portal.newContext({ viewport: { width: 390, height: 844 } });
    const scanned = await openPage(stranger);
    const address = (await code.getAttribute("data-url")) ?? "";
    await scanned.page.goto(lang === "zh" ? address : `${address}?lang=en`);
    await scanned.page.getByRole("heading", { name: say("这一页没有被改动过") }).waitFor();
    await scanned.page.getByText("28,379.5 kg").waitFor();
    expect(await scanned.page.getByText(/LU-3K627|马军|1,?475|中原牧业/).count()).toBe(0);
    await looked(scanned.page, lang);
    expect((await scanned.page.request.get(`${address}x`)).status()).toBe(404);
    expect(scanned.problems).toEqual([]);
    await stranger.close();

    await selling.page.goto(`${portal.address}${settlements.menu.path}?row=${settlement.id}`);
    await deskDrawer.getByText("13,872 kg × 14.75 = 204,612.00").waitFor();

    await pay("balance");
    await page.reload();
    await due("已付清", "0.00").waitFor();
    await drawer.getByRole("button", { name: say("确认完成") }).click();
    const stateNow = async () => (await sales<{ state: string }>(`${orderView.path}?id=${order}`)).state;
    await expect.poll(stateNow).toBe("completed");
    await page.goto(`${portal.address}${orders.customerMenu?.path}?row=${order}`);
    await drawer.locator("ol > li[data-done]").nth(6).waitFor();
    await drawer
      .getByRole("link", { name: /^(结算单|Settlement) 1$/ })
      .first()
      .click();
    await page.waitForURL(/f\.order=/);
    expect([...buying.problems, ...selling.problems]).toEqual([]);
    await Promise.all([buying.context.close(), selling.context.close()]);
  });

  test.each(ways)("is not loaded within a withdrawal period: $lang, $width px", async ({ lang, width }) => {
    const { say } = words(lang);
    const code = `HERD-${lang}`;
    const place = { principal: "Zhou", regionCode: "411325" };
    const made = async (path: string, body: object) => (await admin<{ id: string }>(`/api/muyuan-${path}`, body)).id;
    // The field with the code of a farm sells the heads of its units.
    const herd = await made("trade/field/submit", {
      ...place,
      fieldCode: code,
      fieldName: `West gate ${lang}`,
      fieldType: "commercial",
      contactPhone: "13800000098",
    });
    await send(admin, "loading-slot/submit", {
      slotName: `West gate ${lang}`,
      fieldId: herd,
      weekday: "daily",
      kind: "open",
      times: "08:00-10:00",
      mostVehicles: 4,
      headsPerVehicle: 120,
      validFrom: dayIn(0),
    });
    const farmId = await made("farm/farm/submit", { ...place, code, name: `West farm ${lang}`, type: "commercial" });
    const inHouse = { pigstyType: "fattening", code: `${code}-1` };
    const houseId = await made("farm/house/submit", { ...inHouse, farmId, name: "House 1" });
    const unit = await made("farm/unit/submit", { ...inHouse, houseId, name: "Unit 1", capacity: 200, category });
    await made("farm/inventory/submit", { unitId: unit, kind: "arrival", category, heads: 120 });
    const medicineId = await made("iot/medicine/submit", {
      name: `Florfenicol ${lang}`,
      kind: "medicine",
      withdrawalDays: 14,
    });

    const plan = await send(sales, "plan/submit", {
      field: herd,
      unit,
      day: dayIn(3),
      category,
      fromKg: 110,
      toKg: 120,
      heads: 120,
      mode: "fixed",
      pricePerKg: 1475,
    });
    await send(admin, "plan/approve", { id: plan.id, version: 1 });
    await send(sales, "plan/publish", { id: plan.id, version: 2 });
    const buying = { plan: plan.id, heads: 120, slot: "08:00-10:00", plate: "LU-3K627" };
    const declaration = await send(apiOf(portal, "farm"), "declaration/submit", buying);
    await send(sales, "declaration/accept", { id: declaration.id, version: 1 });
    const { records } = await sales<{ records: { id: string }[] }>(`${orders.path}/page?plan=${plan.id}`);
    const order = records[0]?.id ?? "";
    const { payments } = await sales<{ payments: { id: string; amountFen: number }[] }>(
      `${orderView.path}?id=${order}`,
    );
    for (const { id, amountFen } of payments) {
      await send(sales, "payment/record", { id, version: 1, amountFen, bankReference: code, receivedOn: dayIn(0) });
      await send(admin, "payment/confirm", { id, version: 2 });
    }
    const driver = { driverName: "马军", driverPhone: "13900000267" };
    const lorry = await send(sales, "transit/submit", { order, plate: "LU-3K627", heads: 120, ...driver });
    await send(sales, "transit/disinfect", { id: lorry.id, version: 1, ...washOf() });
    const treated = { finding: "cough", type: "treatment", unitId: unit, onDay: dayIn(-4), medicineId, code };
    const treatment = await made("iot/treatment/submit", treated);

    const { context, page, problems } = await openAs(portal, salesAccount, { lang, width });
    const drawer = page.getByRole("complementary").or(page.getByRole("dialog")).last();
    await page.goto(`${portal.address}${orders.menu.path}?row=${order}`);
    const load = drawer.getByRole("button", { name: say("开始装车"), exact: true });
    await drawer
      .getByText(
        lang === "zh" ? /休药期到 .+，装车日还没有过/ : /its withdrawal period ends on .+, after the loading day/,
      )
      .waitFor();
    expect(await load.isDisabled()).toBe(true);
    await looked(page, lang);
    // The day was written down wrongly: the period ends before the lorry comes.
    await made("iot/treatment/submit", { ...treated, id: treatment, onDay: dayIn(-20), version: 1 });
    await page.reload();
    await load.click();
    await expect
      .poll(async () => (await sales<{ state: string }>(`${orderView.path}?id=${order}`)).state)
      .toBe("loading");
    expect(problems).toEqual([]);
    await context.close();
  });
});
