import type { Message, Page, PriceAlert, PriceDesk, PriceTrend, Quotations } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPriceDays, demoPrices, seedDemoPrices } from "../../apps/server/src/database/seeds/demo-prices.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";
import { sheetCalls, sheetOf } from "../resources/sheets.ts";

let app: TestApp;
/** Two people of sales, and a customer. */
let zhao: string;
let li: string;
let farm: string;
const bus = memoryBus();
let told = 0;

const trade = "/api/muyuan-trade";
const dayMs = 86_400_000;
const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
const day = (back: number) => new Date(Date.parse(`${today}T00:00:00Z`) - back * dayMs).toISOString().slice(0, 10);

type Refused = { reason?: string; problems?: { field: string; reason: string }[] };
const get = async <Reply>(path: string, query: Record<string, string> = {}, token?: string) => {
  const { status, body } = await app.call({ path: `${trade}/${path}`, query, ...(token !== undefined && { token }) });
  return { status, data: body.data as Reply & Refused };
};
const post = async <Reply = PriceDesk>(path: string, body: unknown, token = zhao) => {
  const answer = await app.call({ method: "POST", path: `${trade}/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Reply & Refused };
};
const ok = async <Reply>(asked: Promise<{ status: number; data: Reply & Refused }>): Promise<Reply> => {
  const { status, data } = await asked;
  expect([status, data.reason]).toEqual([200, undefined]);
  return data;
};
const refused = async (asked: Promise<{ status: number; data: Refused }>) => {
  const { status, data } = await asked;
  return [status, data.reason];
};
const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

const desk = (of: string, token = zhao) => ok(get<PriceDesk>("day-price/detail", { day: of }, token));
const cellOf = ({ cells }: PriceDesk, regionCode: string, breed = "outer") => {
  const cell = cells.find((held) => held.regionCode === regionCode && held.breed === breed);
  if (cell === undefined) throw new Error(`no cell ${regionCode} ${breed}`);
  return cell;
};
const enter = async (of: string, prices: Record<string, number | undefined>, token = zhao) => {
  const held = await desk(of, token);
  const entries = Object.entries(prices).map(([key, fen]) => {
    const [regionCode = "", breed = "outer"] = key.split(".");
    const { version } = cellOf(held, regionCode, breed);
    return { regionCode, breed, version, ...(fen !== undefined && { fen }) };
  });
  return post("day-price/submit", { day: of, entries }, token);
};
const publish = (of: string) => post("day-price/publish", { day: of });
const looked = (regionCode: string, fen: number, breed = "outer") => ({ regionCode, breed, fen });
/** Prices that were published long ago, past everything that is tested. */
const publishedBefore = async (of: string, prices: Record<string, number>) => {
  await sql(
    `insert into price_days (id, price_day, publish_at, published_at)
     values ($1, $2, $2::date, $2::date) on conflict do nothing`,
    [app.nextId(), of],
  );
  for (const [key, fen] of Object.entries(prices)) {
    const [regionCode, breed = "outer"] = key.split(".");
    await sql(
      "insert into price_entries (price_day, region_code, breed, fen, state) values ($1, $2, $3, $4, 'published')",
      [of, regionCode, breed, fen],
    );
  }
};
const quotations = (breed = "outer") => ok(get<Quotations>("region-price/skip-secure/quotations", { breed }));
const quoteOf = ({ regions }: Quotations, code: string) =>
  regions.flatMap(({ provinces }) => provinces).find((quote) => quote.code === code);

beforeAll(async () => {
  app = await createTestApp({}, { bus });
  bus.subscribe("contentChanged", () => {
    told += 1;
  });
  [zhao, li, farm] = [await app.logIn("zhaomin"), await app.logIn("liqiang"), await app.logIn("farm")];
});
afterAll(() => app.close());

test("before anything is published there is a quotation without prices, an empty trend and a file of one line", async () => {
  expect(await quotations()).toMatchObject({
    day: "",
    publishedAt: "",
    updated: 0,
    late: 0,
    provinces: 31,
    corrections: [],
  });
  expect(await ok(get<PriceTrend>("region-price/skip-secure/trend"))).toEqual({ breed: "outer", days: [], series: [] });
  expect((await app.http.inject({ method: "GET", url: "/market.csv" })).body.trim().split("\r\n")).toHaveLength(1);
});

describe("a price alert", () => {
  const messages = async () => {
    const { body } = await app.call({
      path: "/api/muyuan-message-center/message/page/user",
      query: { kind: "price", size: "100" },
      token: farm,
    });
    return (body.data as Page<Message>).records.filter(({ title }) => title === "价格提醒");
  };
  /** Publishes a price of Guangdong on a day, whatever it needs for that. */
  const publishes = async (of: string, fen: number) => {
    const waits = cellOf(await ok(enter(of, { 44: fen })), "44").state === "waiting";
    if (waits) await ok(post("day-price/confirm", { day: of, cells: [looked("44", fen)] }, li));
    await ok(publish(of));
  };

  test("is told once per crossing, in the transaction that publishes, and again after the price was back", async () => {
    await publishedBefore(day(29), { 44: 1500 });
    const alert = { area: "44", breed: "outer", direction: "below", thresholdFen: 1480 };
    const [made] = await ok(post<PriceAlert[]>("price-alert/submit", alert, farm));
    expect(made).toMatchObject({ ...alert, armed: true, nowFen: 1500, firedAt: "" });
    const told: number[] = [];
    for (const [back, fen] of [
      [28, 1490],
      [27, 1470],
      [26, 1460],
      [25, 1480],
      [24, 1479],
      [23, 1475],
    ] as const) {
      await publishes(day(back), fen);
      told.push((await messages()).length);
    }
    // 1480 is the threshold itself and no longer below it.
    expect(told).toEqual([0, 1, 1, 1, 2, 2]);
    const [last] = await messages();
    expect(last?.content).toBe(`广东 · 外三元：${day(24)} 报 14.79 元/kg，低于您设的 14.80 元/kg`);
    expect(await ok(get<PriceAlert[]>("price-alert/list", {}, farm))).toMatchObject([
      { armed: false, firedFen: 1479, nowFen: 1475 },
    ]);
  });

  test("that is beyond its threshold already waits for the way back; the same one twice, too many and strange prices are refused", async () => {
    const above = { area: "cn", breed: "outer", direction: "above", thresholdFen: 1000 };
    const made = await ok(post<PriceAlert[]>("price-alert/submit", above, farm));
    expect(made.find(({ area }) => area === "cn")).toMatchObject({ armed: false, nowFen: 1475 });
    expect(await refused(post("price-alert/submit", above, farm))).toEqual([409, "price_alert.doubled"]);
    expect(await refused(post("price-alert/submit", { ...above, thresholdFen: 20 }, farm))).toEqual([
      400,
      "price.out_of_range",
    ]);
    for (let at = 0; at < 18; at += 1)
      await ok(post<PriceAlert[]>("price-alert/submit", { ...above, thresholdFen: 2000 + at }, farm));
    expect(await refused(post("price-alert/submit", { ...above, thresholdFen: 3000 }, farm))).toEqual([
      409,
      "price_alert.full",
    ]);
  });

  test("is its owner's alone", async () => {
    const [mine] = await ok(get<PriceAlert[]>("price-alert/list", {}, farm));
    expect(await ok(get<PriceAlert[]>("price-alert/list", {}, li))).toEqual([]);
    await ok(post<PriceAlert[]>("price-alert/remove", { ids: mine?.id }, li));
    expect((await ok(get<PriceAlert[]>("price-alert/list", {}, farm))).map(({ id }) => id)).toContain(mine?.id);
    const left = await ok(post<PriceAlert[]>("price-alert/remove", { ids: mine?.id }, farm));
    expect(left.map(({ id }) => id)).not.toContain(mine?.id);
    expect((await get("price-alert/list")).status).toBe(401);
  });
});

describe("entering prices", () => {
  const of = day(10);
  beforeAll(() => publishedBefore(day(11), { 41: 1400, 42: 1400, 43: 1000, 51: 1500, "51.inner": 1400 }));

  test("what is at most 5 % off the day before is ready, more waits, as does what nothing stands against", async () => {
    const held = await ok(enter(of, { 41: 1470, 42: 1471, 43: 950, 51: 1424, "44.local": 1300 }));
    const states = ["41", "42", "43", "51"].map((code) => cellOf(held, code).state);
    expect(states).toEqual(["ready", "waiting", "ready", "waiting"]);
    expect(cellOf(held, "44", "local")).toMatchObject({
      state: "waiting",
      beforeDay: "",
      own: true,
      enteredBy: "赵敏",
    });
    expect(cellOf(held, "42")).toMatchObject({ beforeFen: 1400, beforeDay: day(11) });
  });

  test("nobody confirms the own outlier, whatever is sent; somebody else does, with the price that was looked at", async () => {
    const confirm = (token: string, fen = 1471) =>
      post("day-price/confirm", { day: of, cells: [looked("42", fen)] }, token);
    expect(await refused(confirm(zhao))).toEqual([403, "price.own_confirmation"]);
    expect(await refused(confirm(li, 1472))).toEqual([409, "price.changed_meanwhile"]);
    expect(cellOf(await desk(of), "42").state).toBe("waiting");
    expect(cellOf(await ok(confirm(li)), "42")).toMatchObject({ state: "ready", confirmedBy: "李强" });
    expect(await refused(confirm(li))).toEqual([409, "price.changed_meanwhile"]);
    // The database refuses it, too.
    await expect(
      sql("update price_entries set confirmed_by = entered_by where price_day = $1 and region_code = '42'", [of]),
    ).rejects.toThrow(/price_entries_second_person/);
  });

  test("who changes an outlier that waits has entered it, and another one waits again", async () => {
    expect(cellOf(await ok(enter(of, { 51: 1420 }, li)), "51")).toMatchObject({ state: "waiting", enteredBy: "李强" });
    const cells = [looked("51", 1420)];
    expect(await refused(post("day-price/confirm", { day: of, cells }, li))).toEqual([403, "price.own_confirmation"]);
    await ok(post("day-price/confirm", { day: of, cells }));
    // What was confirmed is that price and no other.
    expect(cellOf(await ok(enter(of, { 51: 1415 }, li)), "51")).toMatchObject({ state: "waiting", confirmedBy: "" });
  });

  test("one that is sent back says why, is not published, and is entered anew", async () => {
    const body = { day: of, ...looked("51", 1415), reason: "请附来源" };
    expect(cellOf(await ok(post("day-price/return", body)), "51")).toMatchObject({
      state: "returned",
      returnReason: "请附来源",
    });
    expect(cellOf(await ok(enter(of, { 51: 1499 }, li)), "51")).toMatchObject({ state: "ready", returnReason: "" });
  });

  test("prices out of range, changes from an older sight and strange days are refused, and nothing of them is saved", async () => {
    const wrong = await enter(of, { 31: 14_200, 32: 1450 });
    expect(wrong.data.problems?.map(({ field, reason }) => [field, reason])).toEqual([
      ["31.outer", "price.out_of_range"],
    ]);
    expect(cellOf(await desk(of), "32").state).toBe("empty");
    const entries = [{ ...looked("41", 1460), version: 0 }];
    expect(await refused(post("day-price/submit", { day: of, entries }))).toEqual([409, "price.changed_meanwhile"]);
    const { version } = cellOf(await desk(of), "41");
    for (const strange of [day(-8), day(31), "2026-02-30", "2026-13-01"])
      expect(
        (await post("day-price/submit", { day: strange, entries: [{ ...looked("41", 1460), version }] })).status,
      ).toBe(400);
    expect((await post("day-price/submit", { day: of, entries: [{ ...looked("71", 1460), version: 0 }] })).status).toBe(
      400,
    );
  });

  test("a cell that is emptied is gone, and what was done stands in the trail", async () => {
    expect(cellOf(await ok(enter(of, { "44.local": undefined })), "44", "local").state).toBe("empty");
    const steps = await ok(
      get<{ actorName: string; changes: { field: string; after: string }[] }[]>("day-price/history", { day: of }, zhao),
    );
    expect(steps[0]).toMatchObject({ actorName: "赵敏", changes: [{ field: "44.local", before: "13.00", after: "" }] });
    expect(steps.flatMap(({ changes }) => changes)).toContainEqual({
      field: "42.outer",
      before: "waiting",
      after: "confirmed 14.71",
    });
    const { body } = await app.call({
      method: "POST",
      path: "/api/muyuan-log/audit/verify",
      body: {},
      token: await app.logIn("admin"),
    });
    expect((body.data as { brokenId?: string }).brokenId).toBeUndefined();
  });

  test("is for who may: customers, visitors and a right less", async () => {
    for (const [path, body] of [
      ["submit", { day: of, entries: [{ ...looked("41", 1460), version: 0 }] }],
      ["confirm", { day: of, cells: [looked("41", 1460)] }],
      ["publish", { day: of }],
      ["schedule", { day: of, at: `${of} 08:00:00` }],
    ] as const) {
      expect((await post(`day-price/${path}`, body, farm)).status, path).toBe(403);
      expect((await post(`day-price/${path}`, body, await app.logIn("kefu01"))).status, path).toBe(403);
    }
    expect((await get("day-price/detail", { day: of }, farm)).status).toBe(403);
    expect((await get("day-price/detail", { day: of })).status).toBe(401);
  });
});

describe("publication", () => {
  const of = day(0);
  const inShanghai = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

  test("happens at its time and not before: what is ready and nothing else, and every server is told once", async () => {
    await publishedBefore(day(1), { 11: 1400, 12: 1400, 13: 1400, 14: 1400 });
    // What was left of an earlier day follows first.
    await app.runJob("prices.publish");
    await ok(enter(of, { 11: 1410, 12: 1600 }));
    await sql("update price_days set publish_at = now() + interval '1 minute' where price_day = $1", [of]);
    told = 0;
    await app.runJob("prices.publish");
    expect([(await desk(of)).publishedAt, told]).toEqual(["", 0]);
    expect((await quotations()).day).toBe(day(1));
    await sql("update price_days set publish_at = now() - interval '1 second' where price_day = $1", [of]);
    await app.runJob("prices.publish");
    const held = await desk(of);
    expect([cellOf(held, "11").state, cellOf(held, "12").state, told]).toEqual(["published", "waiting", 1]);
    expect(held.publishedAt).not.toBe("");
    const shown = await quotations();
    expect(shown).toMatchObject({ day: of, updated: 1, nation: { fen: 1410, yesterdayFen: 1400 } });
    expect(quoteOf(shown, "11")).toMatchObject({ fen: 1410, yesterdayFen: 1400, day: of });
    // Waits for somebody: visitors read the price of the day before, marked.
    expect(quoteOf(shown, "12")).toMatchObject({ fen: 1400, day: day(1) });
    await app.runJob("prices.publish");
    expect(told).toBe(1);
  });

  test("of what comes later the same day follows within a minute, and what was published can only be corrected", async () => {
    await ok(post("day-price/confirm", { day: of, cells: [looked("12", 1600)] }, li));
    const { publishedAt } = await desk(of);
    await app.runJob("prices.publish");
    const held = await desk(of);
    expect([cellOf(held, "12").state, held.publishedAt]).toEqual(["published", publishedAt]);
    const { data } = await enter(of, { 12: 1500 });
    expect([data.reason, data.problems?.[0]?.reason]).toEqual(["price.problems", "price.published_already"]);
  });

  test("looks again: what was near the price before when it was entered waits when it no longer is", async () => {
    const tomorrow = day(-1);
    expect(cellOf(await ok(enter(tomorrow, { 13: 1400, 14: 1400 })), "13").state).toBe("ready");
    await ok(enter(of, { 13: 1320 }));
    await ok(post("day-price/confirm", { day: of, cells: [looked("13", 1320)] }, li));
    await ok(publish(of));
    await sql("update price_days set publish_at = now() - interval '1 second' where price_day = $1", [tomorrow]);
    await app.runJob("prices.publish");
    const held = await desk(tomorrow);
    expect([cellOf(held, "13").state, cellOf(held, "14").state]).toEqual(["waiting", "published"]);
    await sql("delete from price_entries where price_day = $1", [tomorrow]);
    await sql("delete from price_days where price_day = $1", [tomorrow]);
    bus.publish("contentChanged", {});
  });

  test("has a time that can be chosen on its day alone, which later days take over", async () => {
    const [next, after] = [day(-2), day(-3)];
    await ok(post("day-price/schedule", { day: next, at: `${next} 09:30:00` }));
    expect((await desk(after)).publishAt).toBe(`${after} 09:30:00`);
    for (const at of [`${after} 08:00:00`, inShanghai(Date.now() - 3_600_000)])
      expect(await refused(post("day-price/schedule", { day: next, at }))).toEqual([400, "price.publish_at"]);
    expect(await refused(publish(next))).toEqual([400, "price.not_yet"]);
    expect(await refused(post("day-price/schedule", { day: of, at: inShanghai(Date.now() + 600_000) }))).toEqual([
      409,
      "price.published_already",
    ]);
  });
});

describe("a correction", () => {
  const of = day(0);
  const reason = '=HYPERLINK("http://evil.example","抄错一位")';
  const propose = (oldFen: number, newFen: number | undefined, token = zhao) =>
    post(
      "day-price/correct",
      { day: of, regionCode: "11", breed: "outer", oldFen, ...(newFen !== undefined && { newFen }), reason },
      token,
    );
  const decide = (id: string, token: string, confirmed = true) =>
    post("day-price/correction/decide", { day: of, id, confirmed, reason: "" }, token);
  const csv = async (query: Record<string, string> = {}) => {
    const answer = await app.http.inject({ method: "GET", url: "/market.csv", query });
    return {
      type: String(answer.headers["content-type"]),
      lines: answer.body.slice(1).split("\r\n"),
      bom: answer.body.charCodeAt(0),
    };
  };

  test("changes nothing before somebody else confirms it, and then stays to be read: old, new, when, why, by whom", async () => {
    expect(await refused(propose(1400, 1420))).toEqual([409, "price.changed_meanwhile"]);
    expect(await refused(propose(1410, 1410))).toEqual([400, "price.unchanged"]);
    const { corrections } = await ok(propose(1410, 1420));
    const id = corrections[0]?.id ?? "";
    expect(corrections[0]).toMatchObject({ state: "waiting", own: true, oldFen: 1410, newFen: 1420, reason });
    expect(await refused(propose(1410, 1430, li))).toEqual([409, "price.correction_waits"]);
    expect(await refused(decide(id, zhao))).toEqual([403, "price.own_confirmation"]);
    expect((await quotations()).corrections).toEqual([]);
    expect(quoteOf(await quotations(), "11")?.fen).toBe(1410);
    told = 0;
    await ok(decide(id, li));
    expect(told).toBe(1);
    const shown = await quotations();
    expect(quoteOf(shown, "11")?.fen).toBe(1420);
    expect(shown.corrections).toMatchObject([
      { regionCode: "11", day: of, oldFen: 1410, newFen: 1420, reason, enteredBy: "赵**", decidedBy: "李**" },
    ]);
    expect(shown.corrections[0]?.decidedAt).not.toBe("");
    expect(await refused(decide(id, li))).toEqual([409, "price.changed_meanwhile"]);
  });

  test("can take a price back, be taken back itself, and be sent back", async () => {
    const first = (await ok(propose(1420, undefined))).corrections[0];
    await ok(decide(first?.id ?? "", zhao, false));
    expect(quoteOf(await quotations(), "11")?.fen).toBe(1420);
    const second = (await ok(propose(1420, undefined))).corrections[0];
    await ok(decide(second?.id ?? "", li));
    // Nothing of the day is left; nothing of the day before comes in its place unmarked.
    expect(quoteOf(await quotations(), "11")).toMatchObject({ day: day(1), fen: 1400 });
    expect((await quotations()).corrections.map(({ newFen }) => newFen)).toEqual([undefined, 1420]);
  });

  test("stands in the CSV with what was published first, and no cell of it is a formula", async () => {
    const { type, lines, bom } = await csv({ breed: "outer", days: "30" });
    expect([type, bom]).toEqual(["text/csv; charset=utf-8", 0xfeff]);
    expect(lines[0]).toBe("日期,省份代码,省份,品种,价格（元/kg）,更正前（元/kg）,更正时间,更正原因");
    const row = lines.find((line) => line.startsWith(`${of},11,`)) ?? "";
    expect(row).toMatch(new RegExp(`^${of},11,北京,外三元,,14\\.10,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,`));
    expect(row).toContain(`"'=HYPERLINK(""http://evil.example"",""抄错一位"")"`);
    expect(lines).toContain(`${of},12,天津,外三元,16.00,,,`);
    for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+@-]/);
    const english = await csv({ lang: "en", days: "30" });
    expect(english.lines[0]).toMatch(/^Day,Province code,Breed,/);
    // What is not known is as if it were not said.
    expect((await csv({ breed: "__proto__", days: "../../etc" })).lines[0]).toBe(lines[0]);
    expect((await csv({ breed: "inner", days: "30" })).lines.join()).not.toContain("外三元");
  });
});

test("the file is held off beyond its rate, like every call", async () => {
  let calls = 0;
  let status = 200;
  while (status === 200 && calls < 700) {
    status = (await app.http.inject({ method: "GET", url: "/market.csv?days=30", remoteAddress: "10.250.0.9" }))
      .statusCode;
    calls += 1;
  }
  expect([status, calls]).toEqual([429, 601]);
});

describe("a sheet", () => {
  const row = (province: string, outer = "", inner = "", local = "") => ({
    省份: province,
    外三元: outer,
    内三元: inner,
    土杂猪: local,
  });
  type Read = { entries: unknown[]; problems: { row: number; column: string; text: string }[] };
  const reads = async (rows: Record<string, string>[]) => {
    const file = await upload(app, zhao, await sheetOf(rows), "p.xlsx", { query: { visibility: "private" } });
    return post<Read>("day-price/sheet", { attachId: file.body.data.attachId });
  };

  test("is read by its headers, tells what it leaves out by its own rows, and writes nothing", async () => {
    const before = await sql("select count(*)::int as n from price_entries");
    const { entries, problems } = await ok(
      reads([
        row("河南省", "14.52", "14.2"),
        row("内蒙古自治区", "142", "x", "=1+1"),
        row("河南", "1"),
        row("火星", "14"),
        row("广西", "15", "", "13.999"),
      ]),
    );
    expect(entries).toEqual([
      { regionCode: "41", breed: "outer", fen: 1452 },
      { regionCode: "41", breed: "inner", fen: 1420 },
      { regionCode: "45", breed: "outer", fen: 1500 },
    ]);
    expect(problems.map(({ row: at, column }) => [at, column])).toEqual([
      [3, "外三元"],
      [3, "内三元"],
      [3, "土杂猪"],
      [4, "省份"],
      [5, "省份"],
      [6, "土杂猪"],
    ]);
    expect(await sql("select count(*)::int as n from price_entries")).toEqual(before);
    expect(await refused(reads([{ 别的: "1" }]))).toEqual([400, "import.no_key"]);
  });

  test("that was exported is read again as it is", async () => {
    const { rows } = await sheetCalls(app, `${trade}/day-price`, zhao).exported({ day: day(10) });
    expect(rows).toHaveLength(31);
    expect(rows.find((held) => held.省份 === "河南")).toMatchObject({ 省份: "河南", 外三元: "14.7" });
    const { entries, problems } = await ok(reads(rows.map((held) => ({ ...row(""), ...held }))));
    expect([entries.length, problems]).toEqual([4, []]);
  });
});

describe("figures", () => {
  let seeded: TestApp;
  beforeAll(async () => {
    seeded = await createTestApp();
    await seedDemoPrices(seeded.test.database.kysely, seeded.nextId, Date.parse("2026-11-23T04:00:00Z"));
    // Holes as life has them: a tenth of all prices, and some days as a whole.
    const { pool } = seeded.test.database;
    await pool.query(`
      delete from price_entries e where (hashtext(e.price_day::text || e.region_code || e.breed) % 10) = 3
         and not exists (select from price_corrections c where c.price_day = e.price_day and c.region_code = e.region_code and c.breed = e.breed)`);
    await pool.query("delete from price_entries where price_day between '2026-02-15' and '2026-02-19'");
  });
  afterAll(() => seeded.close());

  const ofSeeded = async <Reply>(path: string, query: Record<string, string>): Promise<Reply> => {
    const { status, body } = await seeded.call({ path: `${trade}/region-price/skip-secure/${path}`, query });
    expect(status).toBe(200);
    return body.data as Reply;
  };
  test("of nation, regions and provinces are those of SQL, for each breed and against yesterday, a week and a year", async () => {
    const { macroRegions, pricedProvinces } = await import("@herdwise/contract");
    const { pool } = seeded.test.database;
    let compared = 0;
    let late = 0;
    for (const breed of ["outer", "inner", "local"]) {
      const shown = await ofSeeded<Quotations>("quotations", { breed });
      expect(shown).toMatchObject({ day: "2026-11-23", example: true });
      /** The price of the day, and the mean changes of the provinces that had one on both days; halves go to the even fen. */
      const wantedOf = async (codes: readonly string[]) => {
        const mean = (of: string) => `case when count(*) = 0 then null
          when mod(abs(2 * sum(${of})), count(*)) = 0 and mod(abs(2 * sum(${of}) / count(*)), 2) = 1
          then 2 * round(avg(${of}) / 2) else round(avg(${of})) end::int`;
        const { rows } = await pool.query<{ back: number; fen: number | null; change: number | null }>(
          `select back,
                  (select ${mean("n.fen")} from price_entries n
                    where n.price_day = date '2026-11-23' and n.breed = $1 and n.region_code = any($2)) as fen,
                  (select ${mean("n.fen - b.fen")} from price_entries n
                     join price_entries b on b.region_code = n.region_code and b.breed = n.breed and b.price_day = n.price_day - back
                    where n.price_day = date '2026-11-23' and n.breed = $1 and n.region_code = any($2)
                      and n.state = 'published' and b.state = 'published') as change
             from unnest(array[1, 7, 365]) as back`,
          [breed, codes],
        );
        return rows.map(({ fen, change }) => [fen, fen === null || change === null ? null : fen - change]);
      };
      const all = pricedProvinces.map(({ code }) => code);
      const areas = [
        [shown.nation, all] as const,
        ...shown.regions.map((region, at) => {
          expect(region.code).toBe(macroRegions[at]?.[0]);
          return [
            region,
            pricedProvinces.filter(({ macro }) => macro === region.code).map(({ code }) => code),
          ] as const;
        }),
        ...shown.regions.flatMap(({ provinces }) => provinces.map((quote) => [quote, [quote.code]] as const)),
      ];
      for (const [quote, codes] of areas) {
        if (quote.day !== "2026-11-23") {
          // Not updated: no change is told of it.
          late += 1;
          continue;
        }
        const earlier = [quote.yesterdayFen, quote.weekFen, quote.yearFen];
        expect([quote.code, earlier.map((fen) => [quote.fen, fen ?? null])]).toEqual([
          quote.code,
          await wantedOf(codes),
        ]);
        compared += 1;
      }
    }
    expect(compared + late).toBe(3 * (1 + 7 + 31));
    expect(compared).toBeGreaterThan(90);
  });

  test("of a trend are those of SQL day by day, with gaps where nothing was published", async () => {
    const { pool } = seeded.test.database;
    const trend = await ofSeeded<PriceTrend>("trend", { breed: "inner", days: "365", areas: "cn,41,44,99,41" });
    expect(trend.series.map(({ code }) => code)).toEqual(["cn", "41", "44"]);
    expect([trend.days.length, trend.days[0], trend.days.at(-1)]).toEqual([365, "2025-11-24", "2026-11-23"]);
    const { rows } = await pool.query<{ day: string; fen: number }>(
      "select to_char(price_day, 'YYYY-MM-DD') as day, fen from price_entries where breed = 'inner' and region_code = '41' and state = 'published'",
    );
    const fenOf = new Map(rows.map(({ day: of, fen }) => [of, fen]));
    expect(trend.series[1]?.points).toEqual(trend.days.map((of) => fenOf.get(of) ?? 0));
    const gap = trend.days.indexOf("2026-02-15");
    for (const { points } of trend.series) expect(points.slice(gap, gap + 5)).toEqual([0, 0, 0, 0, 0]);
    expect(trend.series[0]?.points.filter((fen) => fen === 0)).toHaveLength(5);
  });

  test("of the demo are the same each time, plausible, and never an outlier of their own", () => {
    const prices = demoPrices("2026-11-23");
    expect(prices).toEqual(demoPrices("2026-11-23"));
    expect(new Set(prices.map((price) => price.day)).size).toBe(demoPriceDays);
    const before = new Map<string, number>();
    for (const { regionCode, breed, fen } of prices) {
      expect(fen).toBeGreaterThan(1000);
      expect(fen).toBeLessThan(2000);
      const key = `${regionCode}.${breed}`;
      const last = before.get(key) ?? fen;
      expect(Math.abs(fen - last) * 100).toBeLessThanOrEqual(5 * last);
      before.set(key, fen);
    }
  });
});
