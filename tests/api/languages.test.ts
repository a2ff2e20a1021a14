import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baiduTranslator, libreTranslator } from "../../apps/server/src/providers/translation/translator.ts";
import { basic, createTestApp, type TestApp } from "../harness/app.ts";

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
    ["河南省 南阳市 内乡县", "Neixiang, Nanyang, Henan"],
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
});
