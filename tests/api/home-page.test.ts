import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HomeDraft, HomeSection, HomeVersion, ShownSection } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestApp, webBuild } from "../harness/app.ts";
import { inShanghai, openSiteDesk, type Refused, type SiteDesk } from "../harness/site-desk.ts";
import { type StandInTranslator, startTranslator } from "../harness/stand-in-translator.ts";

let desk: SiteDesk;
let app: TestApp;
let admin: string;
let owner: string;
let machine: StandInTranslator;

const base = "/api/muyuan-content/home";
const get = async <Reply>(what: string, query: Record<string, string> = {}, token = admin) =>
  (await app.call({ path: `${base}/${what}`, query, token })).body.data as Reply;
const post = async (what: string, body: Record<string, unknown> = {}, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}/${what}`, body, token });
  return { status: answer.status, data: answer.body.data as unknown as HomeDraft & Refused };
};
const shown = (language = "zh") => get<ShownSection[]>("skip-secure/detail", { language }, "");
const idsShown = async () => (await shown()).map(({ id }) => id);
const standard = [
  "hero",
  "figures",
  "night",
  "solutions",
  "market",
  "how",
  "standards",
  "videos",
  "news",
  "partners",
  "closing",
];
/** Saves the page with some sections changed, and others in another order. */
const save = async (change: (sections: HomeSection[]) => HomeSection[]) => {
  const { version, sections } = await get<HomeDraft>("detail");
  return post("write", { version, sections: change(sections) });
};
const changing = (id: string, more: Partial<HomeSection>) => (sections: HomeSection[]) =>
  sections.map((section) => (section.id === id ? { ...section, ...more } : section));
const publish = async (more: Record<string, unknown> = {}) =>
  post("publish", { version: (await get<HomeDraft>("detail")).version, ...more });
const standardNews = { id: "news", shown: true, from: "", until: "", link: "", cover: "" };
const title = (zh: string, en: string) => ({ words: [{ name: "title", zh, en }] });

beforeAll(async () => {
  machine = await startTranslator();
  desk = await openSiteDesk(webBuild, machine.environment);
  ({ app, admin, owner } = desk);
});
afterAll(async () => {
  machine.close();
  await app.close();
});
beforeEach(async () => {
  await desk.sql(
    "update home_page set sections = '[]', publish_at = null, scheduled_version = null, published_version = null",
  );
  await desk.sql("delete from home_page_versions");
  desk.tell();
});

describe("the home page", () => {
  test("is the standard one until somebody publishes another", async () => {
    expect(await idsShown()).toEqual(standard);
    expect(await get<HomeDraft>("detail")).toMatchObject({
      state: "standard",
      versionNumber: 0,
      publishedVersion: 0,
      updateUserName: "",
    });
    const { data } = await save(changing("news", title("新鲜事", "What is new")));
    expect(data).toMatchObject({ versionNumber: 1, publishedVersion: 0, state: "standard" });
    expect((await shown()).flatMap(({ words }) => words)).toEqual([]);
  });

  test("shows, once it is published, its sections in their order with the words of each language", async () => {
    await save((sections) => [
      ...changing("news", { ...title("新鲜事", "What is new") })(sections)
        .toReversed()
        .filter(({ id }) => !["videos", "feature1"].includes(id)),
      { ...(sections.find(({ id }) => id === "videos") as HomeSection), shown: false },
    ]);
    const before = desk.told();
    const { data } = await publish();
    expect(data).toMatchObject({ state: "published", publishedVersion: 1, versionNumber: 1 });
    expect(desk.told()).toBe(before + 1);
    // The first stays the first; one that was left out stands where it belongs.
    expect(await idsShown()).toEqual(["hero", ...standard.slice(1).toReversed()].filter((id) => id !== "videos"));
    const titleIn = async (language: string) => (await shown(language)).find(({ id }) => id === "news")?.words;
    expect(await titleIn("zh")).toEqual([{ name: "title", text: "新鲜事" }]);
    expect(await titleIn("en")).toEqual([{ name: "title", text: "What is new" }]);
    // What is changed later waits.
    await save(changing("news", title("更新的事", "Newer still")));
    expect(await titleIn("zh")).toEqual([{ name: "title", text: "新鲜事" }]);
    expect((await post("withdraw")).data).toMatchObject({ state: "standard", publishedVersion: 0 });
    expect(await idsShown()).toEqual(standard);
    expect((await post("withdraw")).data.reason).toBe("home.is_standard");
  });

  test("takes a section of one's own, and shows it within its time", async () => {
    const now = Date.now();
    const own = {
      shown: true,
      link: "/solution/wisdom",
      cover: "farmland" as const,
      from: inShanghai(now + 3_600_000),
      until: inShanghai(now + 7_200_000),
      words: [
        { name: "title", zh: "一个案例", en: "A case" },
        { name: "points", zh: "85 ℃ | 灭菌 \n\n200 km | 直供", en: "85 °C | heat" },
        { name: "action", zh: "看看", en: "See it" },
      ],
    };
    expect((await save(changing("feature2", own))).status).toBe(200);
    expect((await publish()).status).toBe(200);
    expect(await idsShown()).not.toContain("feature2");
    await save(changing("feature2", { ...own, from: inShanghai(now - 3_600_000) }));
    await publish();
    expect((await shown()).find(({ id }) => id === "feature2")).toEqual({
      id: "feature2",
      link: "/solution/wisdom",
      cover: "farmland",
      words: [
        { name: "title", text: "一个案例" },
        { name: "points", text: "85 ℃ | 灭菌\n200 km | 直供" },
        { name: "action", text: "看看" },
      ],
    });
    await save(changing("feature2", { ...own, from: "", until: inShanghai(now - 3_600_000) }));
    await publish();
    expect(await idsShown()).not.toContain("feature2");
  });

  const scene = (caption: string) =>
    `<figure data-block="scene" data-scene="farmland"><figcaption>${caption}</figcaption></figure>`;
  const featured = (zh: string, en: string): Partial<HomeSection> => ({
    shown: true,
    words: [
      { name: "title", zh: "一个案例", en: "A case" },
      { name: "body", zh, en },
    ],
  });

  test("takes content blocks in a section of one's own, cleaned and complete", async () => {
    const words = `<p>冬天的<strong>氨</strong></p>${scene("田和沼液")}`;
    const saved = await save(changing("feature1", featured(words, scene("Fields"))));
    expect(saved.status).toBe(200);
    expect((await publish()).status).toBe(200);
    const body = (language: string) =>
      shown(language).then(
        (sections) =>
          sections.find(({ id }) => id === "feature1")?.words.find(({ name }) => name === "body")?.text ?? "",
      );
    expect(await body("zh")).toBe(words);
    expect(await body("en")).toBe(scene("Fields"));
    // A version counts what people read, not the markup around it.
    expect((await get<HomeVersion[]>("versions"))[0]?.characters).toBe(
      "一个案例".length + "A case".length + "冬天的氨 田和沼液".length + "Fields".length,
    );
  });

  test.each([
    ["a script", "<p>Hi</p><script>alert(1)</script>"],
    ["a handler", '<p onclick="alert(1)">Hi</p>'],
    ["a picture", '<p>Hi</p><img src="/pictures/0123456789abcdef0123456789abcdef.png" alt="a">'],
    ["a drawing of its own", '<p>Hi</p><svg><circle r="1"/></svg>'],
  ])("refuses a body with %s, as nothing is left out without a word", async (_what, html) => {
    const { status, data } = await save(changing("feature1", featured(html, "<p>Hi</p>")));
    expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, "home.markup", "feature1.body"]);
  });

  test.each([
    ["a drawing that nobody chose", scene("Fields").replace(' data-scene="farmland"', ""), "feature1.body"],
    ["a block without a caption", scene(""), "feature1.body"],
  ])("is not published with %s, and saved all the same", async (_what, html, field) => {
    expect((await save(changing("feature1", featured(html, "<p>Hi</p>")))).status).toBe(200);
    const { status, data } = await publish();
    expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, "home.block_incomplete", field]);
  });

  test("tells which links of its sections lead nowhere", async () => {
    const links = ["/news", "/no-such-page", "http://10.0.0.1/"];
    expect((await post("check-links", { links })).data).toEqual([
      { link: "/no-such-page", problem: "missing" },
      { link: "http://10.0.0.1/", problem: "inside" },
    ]);
  });

  test.each<[string, string, Partial<HomeSection>, string, string]>([
    ["a link into nowhere", "hero", { link: "javascript:alert(1)" }, "home.link", "hero.link"],
    [
      "an end before its beginning",
      "news",
      { from: "2026-12-02 08:00:00", until: "2026-12-01 08:00:00" },
      "home.ends_before_it_begins",
      "news.until",
    ],
    ["a long title", "news", title("长".repeat(41), ""), "home.too_long", "news.title"],
    ["a long English title", "news", title("", "x".repeat(81)), "home.too_long", "news.titleEn"],
  ])("refuses %s", async (_what, id, more, reason, field) => {
    const { status, data } = await save(changing(id, more));
    expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, reason, field]);
    expect((await get<HomeDraft>("detail")).versionNumber).toBe(0);
  });

  test.each<[string, string, Partial<HomeSection>, string, string]>([
    ["half a language", "news", title("新鲜事", ""), "home.one_language", "news.titleEn"],
    ["the other half", "news", title("", "What is new"), "home.one_language", "news.title"],
    ["a section of one's own without a title", "feature1", { shown: true }, "home.without_title", "feature1.title"],
    [
      "a link without a button",
      "feature1",
      { shown: true, link: "/news", ...title("一", "One") },
      "home.button_without_link",
      "feature1.action",
    ],
  ])("is not published with %s, and saved all the same", async (_what, id, more, reason, field) => {
    expect((await save(changing(id, more))).status).toBe(200);
    const { status, data } = await publish();
    expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, reason, field]);
    // What nobody sees may be unfinished.
    if (id === "news") {
      await save(changing(id, { shown: false }));
      expect((await publish()).status).toBe(200);
    }
  });

  test("keeps versions that are looked at and written anew; saving the same keeps none", async () => {
    await save(changing("news", title("一", "One")));
    await save(changing("news", title("二", "Two")));
    await save((sections) => sections);
    const list = await get<HomeVersion[]>("versions");
    expect(list.map(({ number, characters }) => [number, characters])).toEqual([
      [2, 4],
      [1, 4],
    ]);
    expect(list[0]?.savedBy).not.toBe("");
    const first = await get<{ sections: HomeSection[] }>("version", { number: "1" });
    expect(first.sections.find(({ id }) => id === "news")?.words).toEqual([{ name: "title", zh: "一", en: "One" }]);
    const { version } = await get<HomeDraft>("detail");
    const { data } = await post("restore", { number: 1, version });
    expect(data.versionNumber).toBe(3);
    expect(data.sections.find(({ id }) => id === "news")?.words).toEqual([{ name: "title", zh: "一", en: "One" }]);
    expect((await post("restore", { number: 9, version: data.version })).status).toBe(404);
  });

  test("somebody who was slower is told who was quicker", async () => {
    const { version, sections } = await get<HomeDraft>("detail");
    await save(changing("news", title("一", "One")));
    for (const [what, body] of [
      ["write", { sections }],
      ["publish", {}],
      ["restore", { number: 1 }],
    ] as const) {
      const { status, data } = await post(what, { version, ...body });
      expect([what, status, data.reason]).toEqual([what, 409, "home.changed_meanwhile"]);
    }
  });

  test("a version waits for its time, whatever is changed meanwhile", async () => {
    const now = Date.now();
    await save(changing("news", title("到点", "On time")));
    expect((await publish({ at: inShanghai(now - 3_600_000) })).data.reason).toBe("article.time_out_of_range");
    expect((await publish({ at: inShanghai(now + 3_600_000) })).data).toMatchObject({
      state: "scheduled",
      publishedVersion: 0,
    });
    await save(changing("news", title("之后", "Later")));
    await app.runJob("home.publish");
    expect((await get<HomeDraft>("detail")).state).toBe("scheduled");
    await desk.sql("update home_page set publish_at = now() - interval '1 second'");
    const before = desk.told();
    await app.runJob("home.publish");
    expect(desk.told()).toBe(before + 1);
    expect(await get<HomeDraft>("detail")).toMatchObject({ state: "published", publishedVersion: 1, versionNumber: 2 });
    expect((await shown()).flatMap(({ words }) => words)).toEqual([{ name: "title", text: "到点" }]);
    await app.runJob("home.publish");
    expect(desk.told()).toBe(before + 1);
  });

  test("a preview shows a version to who has its address, for a day", async () => {
    await save(changing("news", title("先看", "A look")));
    const { path } = (await post("preview-link")).data as unknown as { path: string };
    const token = new URL(path, "http://x").searchParams.get("preview") ?? "";
    await save(changing("news", title("之后", "Later")));
    const preview = (value: string) =>
      app.call({ path: `${base}/skip-secure/preview`, query: { token: value, language: "en" } });
    expect(((await preview(token)).body.data as unknown as ShownSection[]).flatMap(({ words }) => words)).toEqual([
      { name: "title", text: "A look" },
    ]);
    expect((await preview(`${token.slice(0, -2)}xx`)).status).toBe(404);
    const [id, number, , signature] = token.split(".");
    expect((await preview([id, number, String(Date.now() + 1e9), signature].join("."))).status).toBe(404);
  });

  test("customers and strangers neither see the draft nor change it", async () => {
    expect((await save(changing("news", title("一", "One")))).status).toBe(200);
    for (const [token, status] of [
      [owner, 403],
      ["", 401],
    ] as const) {
      for (const what of ["detail", "versions", "version?number=1"])
        expect((await app.call({ path: `${base}/${what}`, token })).status, what).toBe(status);
      for (const what of ["write", "publish", "restore", "withdraw", "preview-link", "check-links"]) {
        const body = { version: 1, number: 1, sections: [], links: [] };
        expect((await app.call({ method: "POST", path: `${base}/${what}`, body, token })).status, what).toBe(status);
      }
    }
  });

  test("changes are written down", async () => {
    await save(changing("news", title("一", "One")));
    await publish();
    const { records } = (
      await app.call({ path: "/api/muyuan-log/audit/page", query: { resource: "home_page", size: "10" }, token: admin })
    ).body.data as { records: { changes: { field: string; after: unknown }[] }[] };
    expect(records.slice(0, 3).flatMap(({ changes }) => changes.map(({ field, after }) => [field, after]))).toEqual([
      ["publishedVersion", "1"],
      ["state", "published"],
      ["versionNumber", "1"],
    ]);
  });
});

describe("a machine's translation of the home page", () => {
  const chinese = (zh = "新鲜事") => save(changing("news", title(zh, "")));
  const propose = async (field = "news.titleEn", version?: number, token = admin) =>
    post("translate", { field, version: version ?? (await get<HomeDraft>("detail")).version }, token);
  const words = async (id = "news") => (await get<HomeDraft>("detail")).sections.find((one) => one.id === id)?.words;
  const accept = async (field = "news.titleEn") => {
    const { version, sections } = await get<HomeDraft>("detail");
    return post("write", { version, sections, reviewed: [field] });
  };
  const proposed = [{ name: "title", zh: "新鲜事", en: "EN:新鲜事", unreviewed: "en" }];

  test("is a proposal that stays marked until a person accepts or edits it", async () => {
    await chinese();
    expect((await propose()).status).toBe(200);
    expect(await words()).toEqual(proposed);
    // Another save leaves the mark: the same words are still the machine's, whatever a client says of them.
    await save(changing("news", { words: [{ name: "title", zh: "改过的", en: "EN:新鲜事" }] }));
    expect(await words()).toEqual([{ name: "title", zh: "改过的", en: "EN:新鲜事", unreviewed: "en" }]);
    expect((await accept()).status).toBe(200);
    expect(await words()).toEqual([{ name: "title", zh: "改过的", en: "EN:新鲜事" }]);
    await chinese();
    await propose();
    await save(changing("news", title("新鲜事", "What is new")));
    expect(await words()).toEqual([{ name: "title", zh: "新鲜事", en: "What is new" }]);
  });

  test("is nobody's to claim: a mark that a client sends is none", async () => {
    await save(changing("news", { words: [{ name: "title", zh: "一", en: "One", unreviewed: "en" }] }));
    expect(await words()).toEqual([{ name: "title", zh: "一", en: "One" }]);
    expect((await propose()).data.reason).toBe("translation.written_by_person");
  });

  test("of a body keeps its blocks", async () => {
    const body = '<figure data-block="scene" data-scene="farmland"><figcaption>田</figcaption></figure>';
    await save(changing("feature1", { words: [{ name: "body", zh: body, en: "" }] }));
    expect((await propose("feature1.bodyEn")).status).toBe(200);
    expect((await words("feature1"))?.[0]?.en).toBe(body.replace("田", "EN:田"));
  });

  test("never replaces a person's words, nor those that a person has read, and is not paid for there", async () => {
    await save(changing("news", title("新鲜事", "Mine")));
    const before = machine.asked();
    for (const field of ["news.titleEn", "news.title"]) {
      const { status, data } = await propose(field);
      expect([status, data.reason, data.problems?.[0]?.field]).toEqual([409, "translation.written_by_person", field]);
    }
    expect(machine.asked()).toBe(before);
    await chinese();
    await propose();
    // One that nobody has looked at may be proposed anew.
    expect((await propose()).status).toBe(200);
    await accept();
    expect((await propose()).data.reason).toBe("translation.written_by_person");
  });

  test("does not replace what came while the machine worked", async () => {
    await chinese("机器还没见过的一句");
    machine.meanwhile = () => save(changing("news", title("机器还没见过的一句", "Mine")));
    try {
      expect((await propose()).data.reason).toBe("home.changed_meanwhile");
      expect((await words())?.[0]?.en).toBe("Mine");
      // What a repair by hand writes may leave the version as it was, and the mark of what it replaced.
      for (const [sentence, former] of [
        ["又一句没见过的", ""],
        ["再一句没见过的", "EN:before"],
      ] as const) {
        await chinese(sentence);
        const stored = { name: "title", zh: sentence, en: former, ...(former !== "" && { unreviewed: "en" }) };
        const section = (word: object) => JSON.stringify([{ ...standardNews, words: [word] }]);
        await desk.sql("update home_page set sections = $1", [section(stored)]);
        machine.meanwhile = () =>
          desk.sql("update home_page set sections = $1", [section({ ...stored, en: "Past the editor" })]);
        expect((await propose()).data.reason).toBe("translation.written_by_person");
        expect((await words())?.[0]?.en).toBe("Past the editor");
      }
    } finally {
      machine.meanwhile = undefined;
    }
  });

  test("keeps the places of values, and refuses what is too long for its place", async () => {
    await save(changing("night", title("夜里 {time}，风机停了", "")));
    await propose("night.titleEn");
    expect((await words("night"))?.[0]?.en).toBe("EN:夜里 {time}，风机停了");
    await save(changing("closing", { words: [{ name: "title", zh: "", en: "Come and see".repeat(4) }] }));
    const { status, data } = await propose("closing.title");
    expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, "home.too_long", "closing.title"]);
  });

  test("is not made of nothing nor of a machine's words, nor without a machine, and needs the right to write", async () => {
    expect((await propose()).data.reason).toBe("translation.no_source");
    expect((await propose("news.textEn")).status).toBe(400);
    await chinese();
    await propose();
    // The Chinese is cleared: what is left is a proposal, which no machine reads as a source.
    await save(changing("news", title("", "EN:新鲜事")));
    expect((await propose("news.title")).data.reason).toBe("translation.no_source");
    await chinese("没有人翻译过这一句");
    machine.isThere = false;
    expect((await propose()).data.reason).toBe("translation.none");
    machine.isThere = true;
    expect((await propose("news.titleEn", undefined, owner)).status).toBe(403);
    expect((await propose("news.titleEn", undefined, "")).status).toBe(401);
    expect((await propose("news.titleEn", 1_000_000)).data.reason).toBe("home.changed_meanwhile");
  });

  test("goes with its version: published, kept and restored with its mark, and out of the site map until it was read", async () => {
    await chinese();
    await propose();
    const marked = (await get<HomeDraft>("detail")).versionNumber;
    await publish();
    const news = async (language: string) => (await shown(language)).find(({ id }) => id === "news");
    expect(await news("en")).toMatchObject({ words: [{ text: "EN:新鲜事" }], unreviewed: ["en"] });
    const map = async () => (await desk.fetched("/sitemap.xml")).body;
    await vi.waitFor(async () => expect(await map()).not.toContain("/index?lang=en"));
    expect(await map()).toContain("/index</loc>");
    await accept();
    expect(await news("en")).toHaveProperty("unreviewed");
    await publish();
    expect(await news("en")).not.toHaveProperty("unreviewed");
    await vi.waitFor(async () => expect(await map()).toContain("/index?lang=en</loc>"));
    const { version } = await get<HomeDraft>("detail");
    expect((await post("restore", { number: marked, version })).status).toBe(200);
    expect(await words()).toEqual(proposed);
  });
});

describe.runIf(existsSync(join(webBuild, "server", "index.js")))("its page", () => {
  const page = async (path: string) => app.http.inject({ url: path });

  test("shows what is published at once, in both languages; hidden sections are not in it", async () => {
    const untouched = (await page("/index")).body;
    expect(untouched).toContain("从一口空气，到一片农田");
    await save((sections) =>
      changing("hero", { words: [{ name: "title", zh: "第一行\n第二行", en: "First\nSecond" }] })(
        changing(
          "solutions",
          title("方案 <b>都</b>在这", "All of <b>them</b>"),
        )(changing("how", { shown: false })(sections)),
      ),
    );
    // What is written is nobody's to see yet.
    desk.tell();
    expect((await page("/index")).body).not.toContain("第一行");
    await publish();
    const { body } = await page("/index");
    expect(body).toContain("第一行<br/>第二行");
    expect(body).toContain("方案 &lt;b&gt;都&lt;/b&gt;在这");
    expect(body).not.toContain('id="how"');
    expect((await page("/index?lang=en")).body).toContain("First<br/>Second");
    await post("withdraw");
    expect((await page("/index")).body).toContain("从一口空气，到一片农田");
  });

  test("says which section a machine translated, in that language alone, and is kept out of search engines there", async () => {
    await save(changing("solutions", title("先说方案", "")));
    await post("translate", { field: "solutions.titleEn", version: (await get<HomeDraft>("detail")).version });
    await publish();
    const told = async (path: string) => {
      const { body } = await page(path);
      return ["EN:先说方案", "data-machine", "noindex", 'hrefLang="en"'].filter((one) => body.includes(one));
    };
    expect(await told("/index?lang=en")).toEqual(["EN:先说方案", "data-machine", "noindex"]);
    // The link to the other language is there for people.
    expect((await told("/index")).filter((one) => one !== 'hrefLang="en"')).toEqual([]);
    expect((await page("/index")).body).not.toContain('rel="alternate" hrefLang');
  });

  test("a preview is shown to nobody else and to no search engine", async () => {
    await save(changing("feature1", { shown: true, cover: "farmland", ...title("只是看看", "Just a look") }));
    const { path } = (await post("preview-link")).data as unknown as { path: string };
    const { body, headers, statusCode } = await page(path);
    expect(statusCode).toBe(200);
    expect(body).toContain("只是看看");
    expect(body).toContain('content="noindex"');
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect((await page("/index")).body).not.toContain("只是看看");
    expect((await page(`${path}x`)).statusCode).toBe(404);
  });

  test("a browser that has it is told that it is the same, and gets it packed", async () => {
    const asked = (headers: Record<string, string>) => app.http.inject({ url: "/partner", headers });
    const first = await asked({ "accept-encoding": "gzip, br" });
    expect(first.headers).toMatchObject({
      "content-encoding": "br",
      vary: "Cookie, Accept-Encoding",
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    });
    expect(first.headers["content-security-policy"]).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
    const again = await asked({ "if-none-match": String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const plain = await asked({});
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(plain.body).not.toContain("nonce");
  });
});
