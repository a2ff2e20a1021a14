import { orders, transits } from "@herdwise/contract";
import pg from "pg";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { type Api, apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { dayIn, service } from "../harness/trade.ts";
import { picture } from "../harness/upload.ts";

const portal = usePortal();
/** A kind of pigs whose sales model no other test sets up. */
const category = "sow";
const send = (api: Api, path: string, body: object) => api<{ id: string }>(`${service}/${path}`, body);
const rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows as Row[];
};

/** A moment as the phone's field for one takes it, Asia/Shanghai. */
const clockAt = (hours: number): string => new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 16);

async function looked(page: Page, lang: Way["lang"]): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await cutTextsOn(page)).toEqual([]);
  expect(await widerThanWindow(page)).toBe(0);
  if (lang === "en") await expectEnglish(page, "the page of a driver");
}

/** Waits until the browser has the page for times without a network. */
const kept = (page: Page) =>
  page.waitForFunction(`(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== "activated") return false;
    const cache = await caches.open("driver-1");
    const names = (await cache.keys()).map((request) => new URL(request.url).pathname);
    const scripts = Array.from(document.querySelectorAll("link[rel=modulepreload]"), ({ href }) => new URL(href).pathname);
    return names.includes("/driver") && scripts.every((script) => names.includes(script));
  })()`);

/** A phone in a browser of its own; it may tell where it is. */
async function phone(lang: Way["lang"]): Promise<{ context: BrowserContext; page: Page }> {
  return openAs(portal, undefined, {
    lang,
    width: 390,
    geolocation: { latitude: 33.05, longitude: 111.84, accuracy: 20 },
    permissions: ["geolocation"],
  });
}

describe.skipIf(foundBrowser === undefined)("a driver's link", () => {
  let admin: Api;
  let buyer: Api;
  let order: string;
  beforeAll(async () => {
    admin = apiOf(portal);
    buyer = apiOf(portal, "farm");
    const { id: field } = await admin<{ id: string }>(`${service}/field/submit`, {
      fieldCode: "E2E-GATE",
      fieldName: "East gate",
      fieldType: "commercial",
      principal: "Zhou",
      contactPhone: "13800000098",
      regionCode: "411325",
      address: "Lane 7",
    });
    await send(admin, "loading-slot/submit", {
      slotName: "East gate every day",
      fieldId: field,
      weekday: "daily",
      kind: "open",
      times: "08:00-10:00",
      mostVehicles: 40,
      headsPerVehicle: 120,
      validFrom: dayIn(0),
    });
    await send(admin, "sales-model/submit", {
      modelName: "East gate sows",
      category,
      mode: "fixed",
      participants: ["personal", "enterprise"],
      leastHeads: 5,
      mostHeads: 500,
      softCloseMinutes: 2,
      validFrom: dayIn(0),
    });
    const plan = await send(admin, "plan/submit", {
      field,
      day: dayIn(3),
      category,
      fromKg: 110,
      toKg: 120,
      heads: 240,
      mode: "fixed",
      pricePerKg: 1475,
    });
    // A plan needs a second person to approve it, which is of no interest here.
    await rowsOf("update sale_plans set state = 'approved', version = 2 where id = $1", [plan.id]);
    await send(admin, "plan/publish", { id: plan.id, version: 2 });
    const declaration = await send(buyer, "declaration/submit", { plan: plan.id, heads: 240 });
    await send(admin, "declaration/accept", { id: declaration.id, version: 1 });
    const [found] = await rowsOf<{ id: string }>("select id::text from sale_orders where declaration = $1", [
      declaration.id,
    ]);
    order = found?.id ?? "";
    await rowsOf(`update sale_orders set state = 'confirmed', version = 2 where id = $1`, [order]);
  });

  /** A vehicle with an open link, and its page. */
  const vehicle = async (plate: string) => {
    const { id } = await send(admin, "transit/submit", {
      order,
      plate,
      heads: 120,
      driverName: "Zhang",
      driverPhone: "13800004410",
      destination: "Wolong slaughterhouse",
    });
    const { url } = await admin<{ url: string }>(`${service}/transit/driver-link`, { id, send: false });
    return { id, address: `${portal.address}/driver#${url.split("#")[1]}` };
  };

  test.each([{ lang: "zh" }, { lang: "en" }] as const)(
    "is filled in without a network, sent when it is back, and cleared by staff: $lang",
    async ({ lang }) => {
      const { say, like } = words(lang);
      const { id, address } = await vehicle(lang === "zh" ? "豫R7D190" : "豫R3K627");
      const { context, page } = await phone(lang);
      await page.goto(address);
      await page.getByRole("heading", { level: 1, name: /豫R/ }).waitFor();
      await page.getByText(say("没有洗消证，不能进场")).waitFor();
      await kept(page);
      await looked(page, lang);

      await context.setOffline(true);
      await expect.poll(() => page.reload().then(() => "opened", String), { timeout: 20_000 }).toBe("opened");
      await page.getByRole("heading", { level: 1, name: /豫R/ }).waitFor();
      await page.getByText(say("没有网络，照样可以拍")).waitFor();
      await page.getByRole("button", { name: say("拍洗消证"), exact: true }).click();
      // Nothing is kept that lacks something.
      await page.getByRole("button", { name: say("存下并发送") }).click();
      await page.getByText(say("请先拍证件照片")).waitFor();
      await looked(page, lang);
      const photo = await picture("jpeg", 3000, 2000);
      await page.setInputFiles("input[type=file]", { name: "IMG_1.jpg", mimeType: "image/jpeg", buffer: photo });
      await page.getByRole("img", { name: say("证件照片") }).waitFor();
      await page.getByLabel(say("洗消证号")).fill("XD-77");
      await page.getByLabel(say("洗消时间")).fill(clockAt(-2));
      await page.getByLabel(say("洗消证有效到")).fill(clockAt(22));
      await page.getByRole("button", { name: say("存下并发送") }).click();
      await page.getByText(like("{count} 条已存在手机里，有网就发", { count: 1 })).waitFor();
      // What is next does not wait for the network.
      await page.getByRole("button", { name: say("拍检疫证"), exact: true }).click();
      await page.setInputFiles("input[type=file]", { name: "IMG_2.jpg", mimeType: "image/jpeg", buffer: photo });
      await page.getByRole("img", { name: say("证件照片") }).waitFor();
      await page.getByLabel(say("检疫证号")).fill("JY-9");
      await page.getByLabel(say("检疫证有效到")).fill(dayIn(5));
      await page.getByRole("button", { name: say("存下并发送") }).click();
      await page.getByText(say("证件齐了，等场里放行")).waitFor();
      // It outlives the page.
      await page.reload();
      await page.getByText(like("{count} 条已存在手机里，有网就发", { count: 2 })).waitFor();
      await looked(page, lang);
      expect(
        await rowsOf("select 1 from driver_entries e join driver_links l on l.id = e.link where l.transit = $1", [id]),
      ).toEqual([]);

      await context.setOffline(false);
      await page.evaluate(`window.dispatchEvent(new Event("online"))`);
      await page.getByText(say("已送达")).nth(1).waitFor();
      await looked(page, lang);
      const photos = await rowsOf<{ bytes: number; positions: number }>(
        `select a.size_bytes as bytes, (select count(*)::int from transit_positions p where p.transit = l.transit) as positions
           from driver_photos h join driver_links l on l.id = h.link join attachments a on a.id = h.attachment_id where l.transit = $1`,
        [id],
      );
      expect(photos).toHaveLength(2);
      expect(photos[0]?.positions).toBe(2);

      // Another phone is told to ask for a link of its own.
      const other = await phone(lang);
      await other.page.goto(address);
      await other.page.getByRole("heading", { name: say("链接在另一部手机上") }).waitFor();
      await looked(other.page, lang);
      await other.context.close();

      const desk = await openAs(portal, "admin", { lang, width: 1440 });
      await desk.page.goto(`${portal.address}${transits.menu.path}?row=${id}`);
      const drawer = desk.page.getByRole("complementary").or(desk.page.getByRole("dialog")).last();
      await drawer
        .getByRole("button", { name: say("看照片") })
        .first()
        .click();
      const image = drawer.getByRole("img", { name: say("司机拍的{what}", { what: say("检疫证") }) });
      await expect
        .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
        .toBe(1600);
      await drawer.getByText(say("司机"), { exact: true }).first().waitFor();
      expect(await violationsOf(desk.page)).toEqual([]);
      await drawer.getByRole("button", { name: say("放行装车") }).click();
      await expect
        .poll(async () => (await rowsOf<{ state: string }>("select state from transits where id = $1", [id]))[0]?.state)
        .toBe("ready");
      await desk.context.close();

      await page.reload();
      await page.getByText(say("已放行，等装车")).waitFor();
      // An expired certificate stops it again, on both sides.
      await rowsOf(
        "update transits set disinfected_at = now() - interval '2 days', disinfection_until = now() - interval '1 minute' where id = $1",
        [id],
      );
      await page.reload();
      await page.getByText(say("洗消证过期，不能进场")).waitFor();
      await looked(page, lang);
      await expect(send(admin, "order/load", { id: order, version: 2 })).rejects.toThrow(/失效了/);
      const buying = await openAs(portal, "farm", { lang, width: 1440 });
      await buying.page.goto(`${portal.address}${orders.customerMenu?.path}?row=${order}`);
      await buying.page.getByText(say("已失效")).first().waitFor();
      await buying.context.close();
      await rowsOf("update transits set state = 'cancelled' where id = $1", [id]);
      await page.reload();
      await page.getByRole("heading", { name: say("这个链接不能用了") }).waitFor();
      await looked(page, lang);
      await context.close();
    },
  );
});
