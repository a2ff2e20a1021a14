import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import type { Page, Translation, VisitRow, VisitSums } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { visitRepository } from "../../apps/server/src/modules/visits/index.ts";
import { baiduTranslator, libreTranslator } from "../../apps/server/src/providers/translation/translator.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";

const translate = async (app: TestApp, src: string, to = "en") => {
  const answer = await app.http.inject({
    method: "POST",
    url: "/api/muyuan-i18n/baidu/trans",
    headers: { authorization: basic },
    payload: { src, to },
  });
  return {
    status: answer.statusCode,
    body: answer.json() as { data: { data: { dst: string; machine: boolean; untranslated: boolean } } },
  };
};

/** A translator's stand-in: every line becomes `EN:<line>`, after the request was checked as the real one does. */
let service: Server;
let serviceUrl: string;
let calls = 0;
let broken = false;
beforeAll(async () => {
  service = createServer(async (request, response) => {
    calls += 1;
    const form = new URLSearchParams(await text(request));
    if (broken) return void response.writeHead(500).end();
    const q = form.get("q") ?? "";
    if (request.url === "/translate") {
      return void response.end(
        JSON.stringify({
          translatedText: q
            .split("\n")
            .map((line) => `EN:${line}`)
            .join("\n"),
        }),
      );
    }
    const sign = createHash("md5")
      .update(`app${q}${form.get("salt")}key`)
      .digest("hex");
    if (sign !== form.get("sign")) return void response.end(JSON.stringify({ error_code: "54001" }));
    response.end(JSON.stringify({ trans_result: q.split("\n").map((line) => ({ src: line, dst: `EN:${line}` })) }));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as { port: number }).port}`;
});
afterAll(() => service.close());

describe("providers", () => {
  test("Baidu's signature is right, and a wrong key is refused", async () => {
    expect(await baiduTranslator("app", "key", serviceUrl).translate(["一", "二"], "en")).toEqual(["EN:一", "EN:二"]);
    await expect(baiduTranslator("app", "wrong", serviceUrl).translate(["一"], "en")).rejects.toThrow("54001");
  });
  test("LibreTranslate", async () => {
    expect(await libreTranslator(serviceUrl).translate(["一", "二"], "en")).toEqual(["EN:一", "EN:二"]);
  });
});

describe("without a machine", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  test("the glossary goes first, the rest stays and says so", async () => {
    expect((await translate(app, "育肥舍")).body.data.data).toEqual({
      dst: "Finishing house",
      machine: false,
      untranslated: false,
    });
    expect((await translate(app, "没有人翻译过")).body.data.data).toEqual({
      dst: "没有人翻译过",
      machine: false,
      untranslated: true,
    });
  });
  test.each([
    ["3 号育肥舍", "Finishing house 3"],
    ["2 单元", "Unit 2"],
    ["配怀舍 A", "Breeding and gestation house A"],
    ["2 号育肥舍 3 单元", "Finishing house 2, unit 3"],
    ["2 号育肥舍 3 单元 环控器", "Finishing house 2, unit 3, environment controller"],
    ["周家营商品场", "Zhoujiaying commercial farm"],
    ["单针剂量偏差", "Single dose deviation"],
    ["南阳市", "Nanyang"],
    ["河南省 南阳市 内乡县", "Neixiang County, Nanyang, Henan"],
    ["陕西省 西安市 雁塔区", "Yanta District, Xi'an, Shaanxi"],
    ["内蒙古自治区 呼和浩特市 土默特左旗", "Tumed Left Banner, Hohhot, Inner Mongolia"],
  ])("the name %s is %s, by no machine", async (src, dst) => {
    expect((await translate(app, src)).body.data.data).toEqual({ dst, machine: false, untranslated: false });
  });
  test.each([
    { src: "", to: "en" },
    { src: "x", to: "fr" },
    { src: "x".repeat(6001), to: "en" },
  ])("a wrong request is refused", async ({ src, to }) => {
    expect((await translate(app, src, to)).status).toBe(400);
  });
});

describe("with a machine", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ TRANSLATION_PROVIDER: "libretranslate", LIBRETRANSLATE_URL: serviceUrl });
  });
  afterAll(() => app.close());

  test("lines are translated once and kept for good, marked as a machine's; a correction stays", async () => {
    const before = calls;
    const first = await translate(app, "设备升级公告\n\n今晚停机");
    expect(first.body.data.data).toEqual({ dst: "EN:设备升级公告\n\nEN:今晚停机", machine: true, untranslated: false });
    await translate(app, "今晚停机");
    expect(calls - before).toBe(1);
    await app.test.database.pool.query(
      "update translations set translation = 'Down tonight', machine = false where source = '今晚停机'",
    );
    expect((await translate(app, "今晚停机")).body.data.data).toEqual({
      dst: "Down tonight",
      machine: false,
      untranslated: false,
    });
  });

  test("of the characters of a day all callers together get no more; what needs no machine is still answered", async () => {
    const limited = await createTestApp({
      TRANSLATION_PROVIDER: "libretranslate",
      LIBRETRANSLATE_URL: serviceUrl,
      TRANSLATION_CHARACTERS_PER_DAY: "25",
    });
    const ask = async (src: string) => {
      const answer = await limited.call({
        method: "POST",
        path: "/api/muyuan-i18n/baidu/trans",
        body: { src, to: "en" },
      });
      return { status: answer.status, data: answer.body.data as { data?: { dst: string }; reason?: string } };
    };
    try {
      const before = calls;
      expect((await ask("甲".repeat(10))).data.data?.dst).toBe(`EN:${"甲".repeat(10)}`);
      expect((await ask("乙".repeat(15))).data.data?.dst).toBe(`EN:${"乙".repeat(15)}`);
      expect(await ask("丙")).toEqual({
        status: 429,
        data: expect.objectContaining({ reason: "translation.day_spent" }),
      });
      expect(calls - before).toBe(2);
      // Kept before, of the glossary, and with a line that only the machine knows.
      expect((await ask("甲".repeat(10))).status).toBe(200);
      expect((await ask("育肥舍")).data.data?.dst).toBe("Finishing house");
      expect((await ask("育肥舍\n丁")).data.data?.dst).toBe("Finishing house\n丁");
      expect(limited.logged.join("")).toContain("TRANSLATION_CHARACTERS_PER_DAY");
      await limited.pass(86_401);
      expect((await ask("丙")).data.data?.dst).toBe("EN:丙");
      expect(calls - before).toBe(3);
    } finally {
      await limited.close();
    }
  });

  test("terms go into the text before the machine sees it", async () => {
    expect((await translate(app, "检查湿帘")).body.data.data.dst).toBe("EN:检查 cooling pad ");
  });

  test("R26: a dead machine leaves the source, and is asked again", async () => {
    broken = true;
    expect((await translate(app, "稍后再译")).body.data.data).toMatchObject({ dst: "稍后再译", untranslated: true });
    broken = false;
    expect((await translate(app, "稍后再译")).body.data.data).toMatchObject({
      dst: "EN:稍后再译",
      untranslated: false,
    });
  });

  test("one address can't spend the machine's budget", async () => {
    const answers = [];
    for (let at = 0; at < 5; at += 1) answers.push((await translate(app, `${at}`.repeat(5900))).status);
    expect(answers).toContain(429);
    // What needs no machine is answered all the same.
    expect((await translate(app, "育肥舍\n谁也没有译过的一行")).body.data.data).toEqual({
      dst: "Finishing house\n谁也没有译过的一行",
      machine: false,
      untranslated: true,
    });
  });
});

describe("corrections", () => {
  let app: TestApp;
  let admin: string;
  beforeAll(async () => {
    app = await createTestApp();
    admin = await app.logIn("admin");
  });
  afterAll(() => app.close());
  const base = "/api/muyuan-i18n/correction";
  const post = (name: string, body: unknown, token = admin) =>
    app.call({ method: "POST", path: `${base}/${name}`, body, token });
  const page = async (query = "") =>
    (await app.get<Page<Translation>>(`${base}/page?size=100${query}`, admin)).body.data.records;

  test("an editor's translation goes before the glossary; forgotten, the glossary answers again", async () => {
    expect((await translate(app, "产房")).body.data.data.dst).toBe("Farrowing house");
    expect((await post("submit", { source: "产房", language: "en", translation: " Maternity ward " })).status).toBe(
      200,
    );
    expect((await translate(app, "产房")).body.data.data).toMatchObject({ dst: "Maternity ward", machine: false });
    expect((await page("&keyword=ternity"))[0]).toMatchObject({ source: "产房", machine: false, provider: "editor" });
    expect((await post("remove", { source: "产房", language: "en" })).status).toBe(200);
    expect((await translate(app, "产房")).body.data.data.dst).toBe("Farrowing house");
    // Removing what is gone is no mistake.
    expect((await post("remove", { source: "产房", language: "en" })).status).toBe(200);
  });

  test("what a machine made stands first and may be corrected; the machine never writes over it", async () => {
    await app.test.database.pool.query(
      "insert into translations (source, language, translation, machine, provider) values ('机译', 'en', 'MT', true, 'baidu')",
    );
    expect((await page())[0]).toMatchObject({ source: "机译", machine: true, provider: "baidu" });
    expect((await translate(app, "机译")).body.data.data).toMatchObject({ dst: "MT", machine: true });
    await post("submit", { source: "机译", language: "en", translation: "Corrected" });
    expect((await translate(app, "机译")).body.data.data).toMatchObject({ dst: "Corrected", machine: false });
    expect(await page("&machine=true")).toEqual([]);
  });

  test("an empty one and one of several lines are refused with what to change; others lack the right", async () => {
    expect((await post("submit", { source: "甲", language: "en", translation: "  " })).body.msg).toBe("请输入译文");
    expect((await post("submit", { source: "甲\n乙", language: "en", translation: "A" })).body.msg).toMatch(/逐行/);
    const farm = await app.logIn("farm");
    expect((await post("submit", { source: "甲", language: "en", translation: "A" }, farm)).status).toBe(403);
    expect((await app.get(`${base}/page`, farm)).status).toBe(403);
    const terms = await app.get<{ zh: string }[]>("/api/muyuan-i18n/term/list", admin);
    expect(terms.body.data.length).toBeGreaterThan(30);
  });
});

describe("visits", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  test("are counted per day and page, without anything personal", async () => {
    const visit = {
      routeName: "unit",
      path: "/selfCenter/vet/environment/unit?id=2124091513939550209&token=canary",
      referrer: "https://search.example/?q=canary",
      language: "zh",
      dwellMs: 1500,
    };
    for (const visits of [[visit, visit], [visit]]) {
      await app.http.inject({
        method: "POST",
        url: "/api/muyuan-content/visit/skip-secure/record",
        headers: { authorization: basic },
        payload: { visits },
      });
    }
    const { rows } = await app.test.database.pool.query(
      "select route_name, path, referrer, visits, dwell_ms from page_visits",
    );
    expect(rows).toEqual([
      {
        route_name: "unit",
        path: "/selfCenter/vet/environment/unit",
        referrer: "search.example",
        visits: "3",
        dwell_ms: "4500",
      },
    ]);
  });

  test("an administrator sees them per page and day, and a day without visits counts none", async () => {
    const admin = await app.logIn("admin");
    await app.test.database.pool.query(`insert into page_visits values
      ('2026-03-01', 'home', '/index', 'zh', 'a.example', 5, 5000), ('2026-03-01', 'home', '/index', 'en', '', 3, 1000),
      ('2026-03-01', 'news', '/news', 'zh', 'b.example', 2, 400), ('2026-03-03', 'home', '/index', 'zh', 'b.example', 9, 900)`);
    const read = async (query: string) =>
      (await app.get<Page<VisitRow>>(`/api/muyuan-content/visit/page?from=2026-03-01&to=2026-03-03${query}`, admin))
        .body;
    expect((await read("")).data.records).toEqual([
      { day: "2026-03-03", routeName: "home", path: "/index", visits: 9, dwellMs: 100 },
      { day: "2026-03-01", routeName: "home", path: "/index", visits: 8, dwellMs: 750 },
      { day: "2026-03-01", routeName: "news", path: "/news", visits: 2, dwellMs: 200 },
    ]);
    expect((await read("&ascs=visits")).data.records.map(({ visits }) => visits)).toEqual([2, 8, 9]);
    expect((await read("&keyword=news")).data.total).toBe(1);
    const sums = await app.get<VisitSums>("/api/muyuan-content/visit/sums?from=2026-03-01&to=2026-03-03", admin);
    expect(sums.body.data).toEqual({
      days: [
        { day: "2026-03-01", visits: 10 },
        { day: "2026-03-02", visits: 0 },
        { day: "2026-03-03", visits: 9 },
      ],
      referrers: [
        { referrer: "b.example", visits: 11 },
        { referrer: "a.example", visits: 5 },
      ],
      languages: [
        { language: "zh", visits: 16 },
        { language: "en", visits: 3 },
      ],
    });
    const pages = await app.get(`/api/muyuan-content/visit/pages?from=2026-03-03&to=2026-03-05`, admin);
    expect(pages.body.data).toEqual([
      { routeName: "home", path: "/index", visits: 9, before: 8, dwellMs: 100 },
      { routeName: "news", path: "/news", visits: 0, before: 2, dwellMs: 0 },
    ]);
    const said = async (from: string, to: string) =>
      (await app.get(`/api/muyuan-content/visit/sums?from=${from}&to=${to}`, admin)).body.msg;
    expect(await said("2026-03-03", "2026-03-01")).toBe("结束日期不能早于开始日期");
    expect(await said("2025-03-01", "2026-03-03")).toBe("日期范围最多一年");
    expect(await said("2026-02-30x", "2026-03-03")).toMatch(/参数校验失败/);
    expect((await app.get("/api/muyuan-content/visit/sums", await app.logIn("farm"))).status).toBe(403);
  });

  test("a day holds so many rows and no more, whatever paths are made up; nothing is lost of the count", async () => {
    await app.test.database.pool.query("delete from page_visits");
    const visits = visitRepository(app.test.database.kysely, 10);
    const of = (path: string) => ({ routeName: "x", path, language: "zh", referrer: "", visits: 1, dwellMs: 10 });
    await visits.add([of("/known")]);
    for (let at = 0; at < 30; at += 1) await visits.add([of(`/a${at}`), of(`/b${at}`), of("/known")]);
    const { rows } = await app.test.database.pool.query(
      "select count(*)::int as rows, sum(visits)::int as visits from page_visits",
    );
    expect(rows[0].visits).toBe(91);
    expect(rows[0].rows).toBeLessThanOrEqual(11);
    const known = await app.test.database.pool.query("select visits from page_visits where path = '/known'");
    expect(known.rows[0].visits).toBe("31");
  });
});
