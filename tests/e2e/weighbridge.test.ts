import { createHash } from "node:crypto";
import { arrivalWeighings, orders, scaleTickets } from "@herdwise/contract";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { type Api, apiOf } from "../harness/departments.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { dayIn, service, washOf } from "../harness/trade.ts";
import { picture } from "../harness/upload.ts";
import { ticketOf } from "../harness/weighbridge.ts";

const portal = usePortal();
/** A kind of pigs whose sales model no other test sets up. */
const category = "piglet";
const token = "token-of-the-weighbridge-in-the-browser-test";
const fieldCode = "E2E-SCALE";

/** A field with a weighbridge of the group, and its sales model. */
async function prepared(): Promise<{ admin: Api; sales: Api; field: string }> {
  await portal.copyOf("kefu01", "weighs-pigs");
  const admin = apiOf(portal, "admin");
  const { id: field } = await admin<{ id: string }>(`${service}/field/submit`, {
    fieldCode,
    fieldName: "Scale gate",
    fieldType: "commercial",
    principal: "Zhou",
    contactPhone: "13800000098",
    regionCode: "411325",
  });
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  await client.query(
    `insert into membership_roles (membership_id, role_id)
     select m.id, r.id from memberships m join accounts a on a.id = m.account_id join roles r on r.tenant_id = m.tenant_id
      where a.account = 'weighs-pigs' and r.role_alias = 'sales' on conflict do nothing`,
  );
  const farm = "1784000000000000001";
  await client.query(
    "insert into farms (id, tenant_id, code, name, type) values ($1, '000000', $2, 'Scale gate', 'commercial')",
    [farm, fieldCode],
  );
  await client.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, activated_at)
     values (1784000000000000002, '000000', 'weighbridge', 'Scale gate scale', 'WBR-E2E-01', $1, $2, now(), now())`,
    [createHash("sha256").update(token).digest(), farm],
  );
  await client.end();
  const validFrom = dayIn(0);
  await admin(`${service}/loading-slot/submit`, {
    slotName: "Scale gate every day",
    fieldId: field,
    weekday: "daily",
    kind: "open",
    times: "08:00-10:00",
    mostVehicles: 40,
    headsPerVehicle: 120,
    validFrom,
  });
  await admin(`${service}/sales-model/submit`, {
    modelName: "Scale gate piglets",
    category,
    mode: "fixed",
    participants: ["personal", "enterprise"],
    leastHeads: 5,
    mostHeads: 500,
    softCloseMinutes: 2,
    validFrom,
  });
  await admin(`${service}/weight-band/submit`, {
    bandName: "Scale gate",
    category,
    fromGrams: 100_000,
    toGrams: 140_000,
    adjustmentFen: 0,
    validFrom,
  });
  return { admin, sales: apiOf(portal, "weighs-pigs"), field };
}

describe.skipIf(foundBrowser === undefined)("a weighbridge", () => {
  let admin: Api;
  let sales: Api;
  let order: string;
  let transit: string;
  const plate = "LU-9S512";
  const send = (api: Api, path: string, body: object) => api<{ id: string }>(`${service}/${path}`, body);
  const tell = async (event: object): Promise<void> => {
    const answer = await fetch(`${portal.address}/api/v1/${token}/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
    });
    expect(answer.status).toBe(200);
  };

  beforeAll(async () => {
    const made = await prepared();
    ({ admin, sales } = made);
    const farm = apiOf(portal, "farm");
    const plan = await send(sales, "plan/submit", {
      field: made.field,
      day: dayIn(3),
      category,
      fromKg: 110,
      toKg: 120,
      heads: 50,
      mode: "fixed",
      pricePerKg: 1475,
    });
    await send(admin, "plan/approve", { id: plan.id, version: 1 });
    await send(sales, "plan/publish", { id: plan.id, version: 2 });
    const wish = await send(farm, "declaration/submit", { plan: plan.id, heads: 50, plate });
    await send(sales, "declaration/accept", { id: wish.id, version: 1 });
    const { records } = await sales<{ records: { id: string; declaration: string }[] }>(
      `${orders.path}/page?current=1&size=50`,
    );
    order = records.find(({ declaration }) => declaration === wish.id)?.id ?? "";
    const { payments } = await sales<{ payments: { id: string; amountFen: number }[] }>(
      `${service}/order/view?id=${order}`,
    );
    const [payment] = payments;
    const received = { bankReference: "E2E-SCALE-1", receivedOn: dayIn(0), amountFen: payment?.amountFen };
    await send(sales, "payment/record", { id: payment?.id, version: 1, ...received });
    await send(admin, "payment/confirm", { id: payment?.id, version: 2 });
    const driver = { driverName: "马军", driverPhone: "13900000267" };
    ({ id: transit } = await send(sales, "transit/submit", { order, plate, heads: 50, ...driver }));
    await send(sales, "transit/disinfect", { id: transit, version: 1, ...washOf() });
    const paper = { quarantineNumber: "JY-9", quarantineHeads: 50, quarantineUntil: dayIn(9) };
    await send(sales, "transit/quarantine", { id: transit, version: 2, ...paper });
    await send(sales, "transit/clear", { id: transit, version: 3 });
    await send(sales, "order/load", { id: order, version: 2 });
    await send(sales, "transit/load", { id: transit, version: 4 });
  });

  test("weighs a lorry in and out, staff match a misread plate, and a weight at arrival is disputed", async () => {
    const context = await portal.signedIn("weighs-pigs", { viewport: { width: 1366, height: 900 } });
    const { page, problems } = await openPage(context);
    const drawer = page.getByRole("complementary");
    await tell(ticketOf(plate, "in", 13_500_000));
    await tell(ticketOf("LU-9S51Z", "out", 19_500_000));

    await page.goto(`${portal.address}${scaleTickets.menu.path}?f.state=unmatched`);
    await page.getByRole("cell", { name: "LU-9S51Z" }).click();
    await drawer.getByRole("button", { name: "匹配车辆" }).click();
    const dialog = page.getByRole("dialog", { name: "匹配车辆" });
    const vehicle = dialog.getByLabel(/转运单/);
    await expect.poll(() => vehicle.locator("option", { hasText: plate }).count()).toBe(1);
    await vehicle.selectOption(transit);
    await dialog.getByLabel(/用作/).selectOption("gross");
    await dialog.getByRole("button", { name: "匹配车辆" }).click();
    await dialog.waitFor({ state: "detached" });
    await drawer.getByText("已用").first().waitFor();

    await page.goto(`${portal.address}${orders.menu.path}?row=${order}`);
    await page.getByText("地磅磅单 2", { exact: true }).click();
    const tickets = page.getByRole("list", { name: "地磅磅单" });
    await tickets.getByText("13,500.0 kg").waitFor();
    await tickets.getByText("19,500.0 kg").waitFor();
    expect(await tickets.getByText("稳定").count()).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    expect(await cutTextsOn(page)).toEqual([]);
    expect(await widerThanWindow(page)).toBe(0);
    await page.getByRole("button", { name: "过磅完成" }).click();
    const stateNow = async () => (await sales<{ state: string }>(`${service}/order/view?id=${order}`)).state;
    await expect.poll(stateNow).toBe("weighed");
    await send(sales, "transit/depart", { id: transit, version: 5 });

    const buying = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
    const buyer = await openPage(buying);
    await buyer.page.goto(`${portal.address}${arrivalWeighings.customerMenu?.path}?row=new`);
    const form = buyer.page;
    const arriving = form.getByLabel(/转运单/);
    await expect.poll(() => arriving.locator("option", { hasText: plate }).count()).toBe(1);
    await arriving.selectOption(transit);
    await form.getByLabel(/到货毛重/).fill("19300");
    await form.getByLabel(/到货皮重/).fill("13500");
    const file = { name: "ticket.jpg", mimeType: "image/jpeg", buffer: await picture("jpeg") };
    await form.locator('input[type="file"]').setInputFiles(file);
    await form.getByRole("img", { name: "磅单照片" }).waitFor();
    expect(await violationsOf(form)).toEqual([]);
    await form.getByRole("dialog").getByRole("button", { name: "登记到货重量" }).click();
    const reported = async () =>
      (
        await sales<{ records: { id: string; transit: string; state: string }[] }>(
          `${arrivalWeighings.path}/page?current=1&size=50`,
        )
      ).records.find((row) => row.transit === transit);
    await expect.poll(async () => (await reported())?.state).toBe("disputed");
    const arrival = await reported();
    await form.goto(`${portal.address}${arrivalWeighings.customerMenu?.path}?row=${arrival?.id}`);
    await form.getByRole("heading", { name: "到货重量", exact: true }).waitFor();
    expect(await widerThanWindow(form)).toBe(0);

    await expect(send(sales, "settlement/submit", { order })).rejects.toThrow(/到货重量有争议/);
    await page.goto(`${portal.address}${arrivalWeighings.menu.path}?row=${arrival?.id}`);
    await page.getByRole("img", { name: "磅单照片" }).waitFor();
    await page.getByRole("button", { name: "按装车重量" }).click();
    const why = page.getByRole("dialog", { name: "按装车重量" });
    await why.getByLabel(/为什么/).fill("路上掉秤");
    await why.getByRole("button", { name: "按装车重量" }).click();
    await why.waitFor({ state: "detached" });
    await send(sales, "settlement/submit", { order });
    expect([...problems, ...buyer.problems]).toEqual([]);
    await Promise.all([context.close(), buying.close()]);
  });
});
