import { offers, orders, priceTerms } from "@herdwise/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { type Api, apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { dayIn, service } from "../harness/trade.ts";
import { inTurn } from "../harness/volume.ts";

const portal = usePortal();
const ways = inTurn<Way>(
  [
    { lang: "zh", width: 390, desk: 1440 },
    { lang: "en", width: 1440, desk: 390 },
  ],
  2,
);
const salesAccount = "sells-by-contract";
/** A kind of pigs that no other test sells by contract. */
const category = "sow";

describe.skipIf(foundBrowser === undefined)("a contract's price", () => {
  let admin: Api;
  let sales: Api;
  let field: string;
  beforeAll(async () => {
    await portal.copyOf("admin", salesAccount);
    admin = apiOf(portal, "admin");
    sales = apiOf(portal, salesAccount);
    const { id } = await admin<{ id: string }>(`${service}/field/submit`, {
      fieldCode: "E2E-CONTRACT",
      fieldName: "River gate",
      fieldType: "commercial",
      principal: "Zhou",
      contactPhone: "13800000099",
      regionCode: "411325",
    });
    field = id;
    const validFrom = dayIn(0);
    await admin(`${service}/loading-slot/submit`, {
      slotName: "River gate every day",
      fieldId: field,
      weekday: "daily",
      kind: "open",
      times: "08:00-12:00",
      mostVehicles: 40,
      headsPerVehicle: 120,
      validFrom,
    });
    await admin(`${service}/sales-model/submit`, {
      modelName: "River gate sows",
      category,
      mode: "contract",
      participants: ["contract"],
      leastHeads: 5,
      mostHeads: 500,
      softCloseMinutes: 2,
      validFrom,
    });
  });

  test.each(ways)("from the term on the form to the used-up volume: $lang, $width px", async (way) => {
    const { lang, width } = way;
    const { say } = words(lang);
    const phone = `1380000907${ways.indexOf(way)}`;
    const signer = `buys.${lang}`;
    await portal.copyOf("farm", signer, phone);

    // Staff write the term on the contract's form, and its text says it at once.
    const { context: group, page: desk } = await openAs(portal, salesAccount, { lang, width: way.desk });
    await desk.goto(`${portal.address}/customer/contract/draft`);
    await desk.getByRole("button", { name: lang === "zh" ? /^生猪购销合同/ : /^Pig sale contract/ }).click();
    await desk.getByLabel(say("找客户")).fill("中原");
    await desk.getByRole("radio", { name: lang === "zh" ? /中原牧业有限公司/ : /Zhongyuan Livestock/ }).check();
    const typeDay = async (group: string, day: string) => {
      const [year = "", month = "", date = ""] = day.split("-");
      await desk.getByRole("group", { name: group }).getByRole("spinbutton").first().click();
      await desk.keyboard.type(lang === "zh" ? year + month + date : month + date + year);
    };
    await desk.getByRole("button", { name: say("加一条价格") }).click();
    await desk.locator("#term-0-category").selectOption(category);
    await desk.getByRole("button", { name: say("存草稿") }).click();
    // What is missing is told at its field before anything is sent.
    await desk.locator("#term-0-heads-problem").waitFor();
    for (const [name, value] of [
      ["fromKg", "150"],
      ["toKg", "260"],
      ["fen", "11.80"],
      ["heads", "60"],
    ] as const)
      await desk.locator(`#term-0-${name}`).fill(value);
    await typeDay(say("装车日从"), dayIn(0));
    await typeDay(say("装车日到"), dayIn(30));
    for (const [name, value] of [
      ["heads", "60"],
      ["amount", "142000"],
      ["breed", "淘汰母猪"],
      ["weight", "200"],
    ] as const) {
      const input = desk.locator(`#value-${name}`);
      if ((await input.count()) === 0) continue;
      if (name === "breed") await input.selectOption({ index: 1 });
      else await input.fill(value);
    }
    await typeDay(say("开始日期"), dayIn(0));
    await typeDay(say("结束日期"), dayIn(200));
    await desk.getByText(lang === "zh" ? "每公斤 11.80 元；数量 60 头" : "CNY 11.80 per kg; 60 heads").waitFor();
    expect(await violationsOf(desk)).toEqual([]);
    expect(await cutTextsOn(desk)).toEqual([]);
    expect(await widerThanWindow(desk)).toBe(0);
    await desk.getByRole("button", { name: say("存草稿") }).click();
    await desk.getByRole("button", { name: say("代表集团签署并发出") }).click();
    await desk.getByText(say("等客户签"), { exact: true }).first().waitFor();
    const contract = new URL(desk.url()).searchParams.get("id") ?? "";

    // The customer reads it and signs.
    const { context: customer, page } = await openAs(portal, signer, { lang, width });
    await page.goto(`${portal.address}/selfCenter/contractManage/detail?id=${contract}`);
    await page.getByText(`${say("甲方")} ${say("还没签")}`).waitFor();
    await page.evaluate("document.querySelector('article > :last-child').scrollIntoView({ block: 'center' })");
    await page.getByText(say("正文看到了末尾")).waitFor();
    await page.getByRole("button", { name: say("获取验证码") }).click();
    await page.getByText(say("已发到 {to}", { to: `138****${phone.slice(-4)}` })).waitFor();
    await page.getByLabel(say("短信验证码")).fill(await portal.codeSentTo(phone));
    await page.getByRole("button", { name: say("签署第 {version} 版", { version: 1 }) }).click();
    await page.getByText(say("还剩 {left} 头，共 {count} 头", { left: 60, count: 60 })).waitFor();

    // A plan at the contract's price, for which the customer declares with what is left before the eyes.
    const { id: plan } = await sales<{ id: string }>(`${service}/plan/submit`, {
      field,
      day: dayIn(3),
      category,
      fromKg: 180,
      toKg: 220,
      heads: 200,
      mode: "contract",
    });
    await admin(`${service}/plan/approve`, { id: plan, version: 1 });
    await sales(`${service}/plan/publish`, { id: plan, version: 2 });
    const drawer = page.getByRole("complementary").or(page.getByRole("dialog")).last();
    const declare = async (heads: number) => {
      await page.goto(`${portal.address}${offers.menu.path}?row=${plan}`);
      await drawer.getByRole("link", { name: say("申报购猪") }).click();
      await expect.poll(() => drawer.getByRole("combobox").first().inputValue()).toBe(plan);
      await drawer.locator("#row-heads").fill(String(heads));
    };
    await declare(60);
    const own = drawer.getByRole("region", { name: say("您的合同价") });
    await own.getByText(say("还能申报 {free} 头（还剩 {left} 头）", { free: 60, left: 60 })).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await cutTextsOn(page)).toEqual([]);
    expect(await widerThanWindow(page)).toBe(0);
    if (lang === "en") await expectEnglish(page, "the form of a declaration");
    await drawer.getByRole("button", { name: say("申报购猪") }).click();
    await drawer.locator("#row-heads").waitFor({ state: "detached" });
    const { records } = await sales<{ records: { id: string }[] }>(`${service}/declaration/page?plan=${plan}`);
    await sales(`${service}/declaration/accept`, { id: records[0]?.id ?? "", version: 1 });
    const [order] = (await sales<{ records: { id: string; pricePerKg: number }[] }>(`${orders.path}/page?plan=${plan}`))
      .records;
    expect(order?.pricePerKg).toBe(1180);

    // The volume is used up.
    await declare(5);
    await own.getByText(say("数量已用完")).first().waitFor();
    await drawer.getByRole("button", { name: say("申报购猪") }).click();
    await drawer
      .getByText(say("合同还能申报 {left} 头", { left: 0 }))
      .first()
      .waitFor();

    // The order names the contract, and the desk's list what was used of it.
    await desk.goto(`${portal.address}${orders.menu.path}?row=${order?.id}`);
    await desk
      .getByText(/HT-\d{4}-\d{4}-1/)
      .first()
      .waitFor();
    await desk.goto(`${portal.address}${priceTerms.menu.path}?f.category=${category}`);
    await desk.getByText(say("已用完")).first().waitFor();
    expect(await violationsOf(desk)).toEqual([]);
    if (lang === "en") await expectEnglish(desk, "the list of trade agreements");
    await sales(`${service}/plan/close`, { id: plan, version: 3, reason: "done" });
    await group.close();
    await customer.close();
  });
});
