import type {
  ArticleDraft,
  ArticleEntry,
  ArticleVersion,
  KindFigures,
  Page,
  PublicArticle,
  PublicPartner,
} from "@herdwise/contract";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { partitionAt, partitionRepository } from "../../apps/server/src/modules/telemetry/partition.repository.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { type StandInTranslator, startTranslator } from "../harness/stand-in-translator.ts";
import { picture, upload } from "../harness/upload.ts";

let app: TestApp;
let admin: string;
let owner: string;
/** Events by which every server forgets the pages that it keeps. */
const bus = memoryBus();
let told = 0;

const base = "/api/muyuan-content";
type Refused = { reason?: string; problems?: { field: string }[] };
const get = async <Reply>(path: string, query: Record<string, string> = {}, token?: string) => {
  const { status, body } = await app.call({ path: `${base}/${path}`, query, ...(token !== undefined && { token }) });
  return { status, data: body.data as Reply & Refused };
};
const post = async <Reply>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Reply & Refused };
};
const ok = async <Reply>(asked: Promise<{ status: number; data: Reply & Refused }>): Promise<Reply> => {
  const { status, data } = await asked;
  expect([status, data.reason]).toEqual([200, undefined]);
  return data;
};
const sql = (text: string, values: unknown[] = []) => app.test.database.pool.query(text, values);

let made = 0;
const add = async (fields: Record<string, unknown> = {}) => {
  made += 1;
  return ok(
    post<{ id: string; version: number; title: string }>("article/submit", {
      title: `第 ${made} 篇`,
      channel: "information",
      topic: "climate",
      summary: "说什么",
      ...fields,
    }),
  );
};
const content = (id: string) => ok(get<ArticleDraft>("article/content", { id }, admin));
const save = async (id: string, fields: Record<string, unknown>) =>
  ok(
    post<{ article: ArticleDraft; removed: number }>("article/write", {
      id,
      version: (await content(id)).version,
      ...fields,
    }),
  );
const publish = async (id: string, at?: string) =>
  ok(post<ArticleDraft>("article/publish", { id, version: (await content(id)).version, ...(at && { at }) }));
/** What anybody reads. */
const read = (id: string, language = "zh") => get<PublicArticle>("article/skip-secure/detail", { id, language });
const written = async (fields: Record<string, unknown> = {}) => {
  const { id } = await add(fields);
  await save(id, { body: "<h2>一</h2><p>正文</p><h2>二</h2><p>再说</p>" });
  return id;
};

let machine: StandInTranslator;

beforeAll(async () => {
  bus.subscribe("contentChanged", () => {
    told += 1;
  });
  machine = await startTranslator();
  app = await createTestApp(machine.environment, { bus });
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
});
afterAll(async () => {
  machine.close();
  await app.close();
});

describe("what visitors read", () => {
  test("is nothing of a draft, the published version at once, and nothing of later changes until they are published", async () => {
    const id = await written();
    expect((await read(id)).status).toBe(404);
    await publish(id);
    const shown = await ok(read(id));
    expect(shown).toMatchObject({ id, topic: "climate", language: "zh", languages: ["zh"], minutes: 1 });
    expect(shown.contents).toEqual([
      { id: "s1", text: "一" },
      { id: "s2", text: "二" },
    ]);
    expect(shown.body).toContain('<h2 id="s2">二</h2>');
    await save(id, { title: "改了的标题", body: "<p>改了的正文</p>" });
    expect((await ok(read(id))).body).toContain("再说");
    expect((await content(id)).publishedVersion).toBe(1);
    await publish(id);
    expect(await ok(read(id))).toMatchObject({ title: "改了的标题", body: "<p>改了的正文</p>" });
  });

  test("ends when it is withdrawn, which comes before it can be removed", async () => {
    const id = await written();
    await publish(id);
    const kept = await post("article/remove", { ids: id });
    expect([kept.status, kept.data.reason]).toEqual([409, "article.still_published"]);
    expect(await ok(post<ArticleDraft>("article/withdraw", { id }))).toMatchObject({ state: "withdrawn", path: "" });
    expect((await read(id)).status).toBe(404);
    expect((await post("article/withdraw", { id })).data.reason).toBe("article.not_published");
    await ok(post("article/remove", { ids: id }));
    expect((await get("article/content", { id }, admin)).status).toBe(404);
  });

  test("is English where it was written, and the Chinese that says so where it was not", async () => {
    const id = await written();
    await publish(id);
    expect(await ok(read(id, "en"))).toMatchObject({ language: "zh", languages: ["zh"] });
    await save(id, { titleEn: "In English", summaryEn: "What it says", bodyEn: "<p>Words</p>" });
    await publish(id);
    expect(await ok(read(id, "en"))).toMatchObject({
      language: "en",
      title: "In English",
      body: "<p>Words</p>",
      languages: ["zh", "en"],
    });
  });

  test("is listed by channel and topic, newest first, and found by a word of the text but not of its markup", async () => {
    const [a, b] = [
      await written({ topic: "feed", channel: "news" }),
      await written({ topic: "feed", channel: "news" }),
    ];
    await save(a, { body: "<table><tbody><tr><td><p>斑马鱼</p></td></tr></tbody></table>" });
    await publish(a);
    await publish(b);
    const list = (query: Record<string, string>) => ok(get<Page<ArticleEntry>>("article/skip-secure/page", query));
    expect((await list({ channel: "news", topic: "feed" })).records.map(({ id }) => id)).toEqual([b, a]);
    expect((await list({ channel: "news", topic: "health" })).total).toBe(0);
    expect((await list({ keyword: "斑马鱼" })).records.map(({ id }) => id)).toEqual([a]);
    expect((await list({ keyword: "tbody" })).total).toBe(0);
    expect((await list({ keyword: "%" })).total).toBe(0);
    const around = await ok(read(a));
    expect(around.later?.id).toBe(b);
    expect((await ok(read(b))).earlier?.id).toBe(a);
    const more: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const id = await written({ topic: "feed", channel: "news" });
      await publish(id);
      more.unshift(id);
    }
    // What stands beside it is not offered once more.
    const newest = await ok(read(String(more[0])));
    expect(newest.earlier?.id).toBe(more[1]);
    expect(newest.related.map(({ id }) => id)).toEqual([more[2], b, a]);
  });
});

describe("a page of the site", () => {
  test("is one article at a time, of the channel that it belongs to", async () => {
    const bare = await written({ channel: "legal" });
    const refusedOf = async (id: string) => {
      const { status, data } = await post("article/publish", { id, version: (await content(id)).version });
      return [status, data.reason, data.problems?.[0]?.field];
    };
    expect(await refusedOf(bare)).toEqual([400, "article.incomplete", "page"]);
    expect(await refusedOf(await written({ channel: "solution", page: "terms" }))).toEqual([
      400,
      "article.page_misfit",
      "page",
    ]);
    expect(await refusedOf(await written({ channel: "news", page: "biosafety" }))).toEqual([
      400,
      "article.page_misfit",
      "page",
    ]);
    const first = await written({ channel: "solution", page: "wisdom" });
    await publish(first);
    expect((await ok(get<PublicArticle>("article/skip-secure/detail", { page: "wisdom" }))).id).toBe(first);
    const second = await written({ channel: "solution", page: "wisdom" });
    expect(await refusedOf(second)).toEqual([409, "article.page_taken", "page"]);
    await ok(post("article/withdraw", { id: first }));
    expect((await publish(second)).path).toBe("/solution/wisdom");
  });
});

describe("a solution without a page of the list", () => {
  test("has an address of its own, is named by the site map and taken off with its article", async () => {
    const id = await written({ channel: "solution" });
    const { path } = await publish(id);
    expect(path).toBe(`/solution/${id}`);
    const mapped = async () => (await app.http.inject("/sitemap.xml")).payload.includes(`/solution/${id}<`);
    expect(await mapped()).toBe(true);
    await ok(post("article/withdraw", { id }));
    expect(await mapped()).toBe(false);
  });
});

describe("content blocks", () => {
  const figure = (kind: string, rest: string, caption = "试验猪场，2026 年 10 月") =>
    `<figure data-block="${kind}"><figcaption>${caption}</figcaption>${rest}</figure>`;
  const table = (...rows: readonly string[][]) =>
    `<table><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td><p>${cell}</p></td>`).join("")}</tr>`).join("")}</tbody></table>`;
  const curve = (...values: readonly string[]) =>
    figure("curve", table(["时间", "氨 ppm"], ...values.map((value, at) => [String(at), value])));

  test("are kept with what they say, and published when they are whole", async () => {
    const id = await written();
    await save(id, { body: `<p>正文</p>${curve("12", "7.5")}` });
    expect((await content(id)).body).toContain('<figure data-block="curve"><figcaption>');
    await publish(id);
    expect((await ok(read(id))).body).toContain('<figure data-block="curve">');
  });

  test.each([
    ["a word among the numbers of a curve", curve("12", "约 7")],
    ["no caption", figure("case", "<p>换了湿帘</p>", "")],
  ])("with %s are not published, in either language", async (_what, html) => {
    for (const field of ["body", "bodyEn"]) {
      const id = await written({ titleEn: "A title", summaryEn: "Some words" });
      await save(id, { body: "<p>正文</p>", bodyEn: "<p>Words</p>", [field]: `<p>正文</p>${html}` });
      const { status, data } = await post("article/publish", { id, version: (await content(id)).version });
      expect([status, data.reason, data.problems?.[0]?.field]).toEqual([400, "article.block_incomplete", field]);
    }
  });
});

describe("a time", () => {
  const inShanghai = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  test("publishes the version that was looked at, once it is over", async () => {
    const id = await written();
    const soon = inShanghai(Date.now() + 3_600_000);
    expect(await publish(id, soon)).toMatchObject({ state: "scheduled", publishAt: soon, publishedVersion: 0 });
    await save(id, { body: "<p>之后改的</p>" });
    await app.runJob("content.publish");
    expect((await read(id)).status).toBe(404);
    await sql("update articles set publish_at = now() - interval '1 second' where id = $1", [id]);
    await app.runJob("content.publish");
    expect((await ok(read(id))).body).toContain("再说");
    expect(await content(id)).toMatchObject({
      state: "published",
      publishAt: "",
      publishedVersion: 1,
      versionNumber: 2,
    });
  });

  test("can be taken back; what was published before stays", async () => {
    const id = await written();
    await publish(id, inShanghai(Date.now() + 3_600_000));
    expect(await ok(post<ArticleDraft>("article/withdraw", { id }))).toMatchObject({ state: "draft" });
    await publish(id);
    await save(id, { body: "<p>新的</p>" });
    await publish(id, inShanghai(Date.now() + 3_600_000));
    expect((await ok(read(id))).body).toContain("正文");
    expect(await ok(post<ArticleDraft>("article/withdraw", { id }))).toMatchObject({
      state: "published",
      publishedVersion: 1,
    });
    expect((await read(id)).status).toBe(200);
  });

  test("must lie within a year from now", async () => {
    const id = await written();
    for (const at of ["2020-01-01 00:00:00", "2199-01-01 00:00:00", "2027-99-99 00:00:00"]) {
      const { data } = await post("article/publish", { id, version: (await content(id)).version, at });
      expect(data.reason).toBe("article.time_out_of_range");
    }
  });
});

describe("versions", () => {
  test("are kept at each save that changes something, read one by one, and restored as a new one", async () => {
    const id = await written();
    await save(id, { body: "<p>第二版</p>", title: `${made} 的第二个标题` });
    await save(id, { body: "<p>第二版</p>" });
    const versions = await ok(get<ArticleVersion[]>("article/versions", { id }, admin));
    expect(versions.map(({ number }) => number)).toEqual([2, 1]);
    expect(versions[0]?.savedBy).not.toBe("");
    const first = await ok(get<{ body: string }>("article/version", { id, number: "1" }, admin));
    expect(first.body).toContain("再说");
    const { version } = await content(id);
    const restored = await ok(post<ArticleDraft>("article/restore", { id, number: 1, version }));
    expect(restored).toMatchObject({ body: first.body, versionNumber: 3 });
    expect((await get("article/version", { id, number: "9" }, admin)).status).toBe(404);
  });

  test("a change that was made from an older one is refused, and changes nothing", async () => {
    const id = await written();
    const { version } = await content(id);
    await save(id, { body: "<p>别人的</p>" });
    for (const path of ["article/write", "article/publish"]) {
      const refused = await post(path, { id, version, ...(path === "article/write" && { body: "<p>我的</p>" }) });
      expect([refused.status, refused.data.reason]).toEqual([409, "article.changed_meanwhile"]);
    }
    expect((await content(id)).body).toBe("<p>别人的</p>");
  });

  test("publishing and versions are in the history of the row", async () => {
    const id = await written();
    await publish(id);
    const { records } = await ok(
      get<Page<{ changes: { field: string; after: unknown }[] }>>("article/history", { id }, admin),
    );
    const changes = records.flatMap((record) => record.changes);
    expect(changes).toContainEqual(expect.objectContaining({ field: "state", after: "published" }));
    expect(changes).toContainEqual(expect.objectContaining({ field: "versionNumber", after: "1" }));
  });
});

describe("a preview", () => {
  test("shows one version to whoever has its address, and nobody a changed or ended one", async () => {
    const id = await written();
    const { path } = await ok(post<{ path: string; expiresAt: string }>("article/preview-link", { id }));
    const token = new URLSearchParams(path.split("?")[1]).get("token") ?? "";
    const preview = (given: string) => get<PublicArticle>("article/skip-secure/preview", { token: given });
    expect((await ok(preview(token))).body).toContain("再说");
    expect((await read(id)).status).toBe(404);
    await save(id, { body: "<p>之后</p>" });
    expect((await ok(preview(token))).body).toContain("再说");
    const [article, number, until, signature] = token.split(".");
    for (const forged of [
      `${article}.2.${until}.${signature}`,
      `${article}.${number}.${Number(until) + 1}.${signature}`,
      `${article}.${number}.${until}.${"A".repeat(43)}`,
      "",
      "x",
    ])
      expect((await preview(forged)).status).toBe(404);
  });
});

describe("other servers", () => {
  test("are told what changes for visitors, after it is committed, and nothing else", async () => {
    const toldBy = async (work: () => Promise<unknown>): Promise<number> => {
      const before = told;
      await work();
      return told - before;
    };
    let id = "";
    expect(
      await toldBy(async () => {
        id = await written();
        await save(id, { body: "<p>x</p>" });
        await post("article/publish", { id, version: 1 });
      }),
    ).toBe(0);
    expect(await toldBy(() => publish(id))).toBe(1);
    expect(await toldBy(() => save(id, { body: "<p>y</p>" }))).toBe(0);
    expect(await toldBy(() => ok(post("article/withdraw", { id })))).toBe(1);
    expect(await toldBy(() => app.runJob("content.publish"))).toBe(0);
    expect(await toldBy(() => ok(post("partner/submit", { partnerName: "新伙伴", kind: "feed" })))).toBe(1);
    expect(await toldBy(() => post("partner/submit", { partnerName: "", kind: "feed" }))).toBe(0);
  });
});

describe("hostile markup", () => {
  const hostile: readonly (readonly [string, string])[] = [
    ["<script>alert(1)</script>", "alert"],
    ["<img src=x onerror=alert(1)>", "onerror"],
    ['<p onclick="alert(1)">x</p>', "onclick"],
    ['<a href="javascript:alert(1)">x</a>', "javascript"],
    ['<a href="&#106;avascript:alert(1)">x</a>', "avascript"],
    ['<a href=" jav\tascript:alert(1)">x</a>', "alert"],
    ['<a href="data:text/html,<script>alert(1)</script>">x</a>', "data:"],
    ['<a href="//evil.example/x">x</a>', "evil"],
    ["<svg><script>alert(1)</script></svg>", "alert"],
    ["<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></mtext></math>", "onerror"],
    ['<iframe src="https://evil.example"></iframe>', "iframe"],
    ["<style>body{display:none}</style>", "display"],
    ['<p style="position:fixed;inset:0">x</p>', "position"],
    ['<form action="https://evil.example"><input name=password></form>', "evil"],
    ['<base href="https://evil.example">', "evil"],
    ['<meta http-equiv=refresh content="0;url=https://evil.example">', "evil"],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', "<img"],
    ["<!--><img src=x onerror=alert(1)>-->", "<img"],
    ["<![CDATA[<img src=x onerror=alert(1)>]]>", "<img"],
    ["<scr<script>ipt>alert(1)</scr</script>ipt>", "<script"],
    ['<h2 id="constructor" class="site-head">x</h2>', "constructor"],
    ['<table background="javascript:alert(1)"><tbody><tr><td colspan="9999">x</td></tr></tbody></table>', "9999"],
    ["<textarea></p><script>alert(1)</script></textarea>", "<script"],
    ["<xml><o:p>x</o:p></xml><!--[if gte mso 9]><script>alert(1)</script><![endif]-->", "alert"],
  ];
  test("is cleaned when it is saved, in both languages, whatever the editor would do", async () => {
    const { id } = await add();
    for (const [html, trace] of hostile) {
      const { article } = await save(id, { body: `<p>前</p>${html}<p>后</p>`, bodyEn: `<p>a</p>${html}` });
      for (const kept of [article.body, article.bodyEn]) {
        expect(kept.toLowerCase(), html).not.toContain(trace.toLowerCase());
        expect(
          kept.replace(/<\/?(p|h2|table|tbody|tr|td|a)( (colspan|rowspan|href|rel)="[^"<>]*")*>/g, ""),
          html,
        ).not.toMatch(/[<>]/);
      }
      expect(article.body).toContain("前");
    }
  });

  test("that stands in the database for another reason does not reach a reader either", async () => {
    const id = await written();
    await publish(id);
    const hostileBody = "<p>字</p><script>alert(1)</script><img src=x onerror=alert(1)>";
    await sql("update article_versions set body = $2 where article_id = $1", [id, hostileBody]);
    // What is kept as pages show it carries a seal: a row that somebody else wrote is not shown.
    expect((await ok(read(id))).body).not.toContain("script");
    await sql("update article_readings set body = $2 where article_id = $1", [id, hostileBody]);
    expect((await ok(read(id))).body).toBe("<p>字</p>");
    // Nor is one that was taken from another article, with its seal.
    const other = await written();
    await publish(other);
    await sql(
      "update article_readings t set (body, seal) = (select o.body, o.seal from article_readings o where o.article_id = $2 and o.language = t.language) where t.article_id = $1",
      [id, other],
    );
    expect((await ok(read(id))).body).toBe("<p>字</p>");
  });

  test("is counted, and what a writer means is kept as it is", async () => {
    const { id } = await add();
    const meant =
      '<h2>一</h2><p>字<strong>粗</strong><em>斜</em>10<sup>6</sup> H<sub>2</sub>S<a href="/news">站内</a> &amp; &lt;b&gt;</p><ul><li><p>点</p></li></ul><blockquote><p>话</p></blockquote><table><tbody><tr><th scope="col"><p>头</p></th></tr><tr><td><p>格</p></td></tr></tbody></table>';
    const { article, removed } = await save(id, { body: meant });
    expect(article.body).toBe(meant);
    expect(removed).toBe(0);
    expect((await save(id, { body: `${meant}<p style="color:red"><font>x</font></p>` })).removed).toBe(2);
  });
});

interface Uploaded {
  src: string;
  width: number;
  height: number;
}
const sendPicture = async (content: Buffer, name = "a.jpg", token = admin) => {
  const { status, body } = await upload(app, token, content, name, { path: `${base}/article/picture` });
  return { status, data: body.data as unknown as Uploaded & Refused };
};
const uploaded = async (width?: number, height?: number): Promise<Uploaded> => {
  const { status, data } = await sendPicture(await picture("jpeg", width, height));
  expect(status).toBe(200);
  return data;
};
const tagOf = ({ src, width, height }: Uploaded, alt = ""): string =>
  `<img src="${src}" alt="${alt}" width="${width}" height="${height}">`;
const siteFiles = async (): Promise<string[]> =>
  (await sql("select name from site_files")).rows.map(({ name }: { name: string }) => name);

describe("pictures in a body", () => {
  test("are kept in the widths that pages fetch, and shown with their size, their versions and late", async () => {
    const shown = await uploaded(2400, 1500);
    expect(shown).toMatchObject({ width: 1600, height: 1000 });
    const { id } = await add();
    const { article, removed } = await save(id, { body: `<p>前</p>${tagOf(shown, "风机 &amp; 湿帘")}<p>后</p>` });
    expect(removed).toBe(0);
    expect(article.body).toContain(`alt="风机 &amp; 湿帘"`);
    expect(article.body).not.toContain("srcset");
    await publish(id);
    const { body } = await ok(read(id));
    const name = /\/pictures\/[0-9a-f-]{36}/.exec(shown.src)?.[0] ?? "none";
    expect(body).toContain(
      `<img src="${name}/1600.webp" srcset="${name}/480.webp 480w, ${name}/960.webp 960w, ${name}/1600.webp 1600w"`,
    );
    expect(body).toMatch(/loading="lazy" decoding="async" alt="风机 &amp; 湿帘" width="1600" height="1000"/);
    for (const width of [480, 960, 1600]) {
      const answer = await app.http.inject({ url: `${name}/${width}.webp` });
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/webp"]);
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      });
      const { format, width: wide } = await sharp(answer.rawPayload).metadata();
      expect([format, wide]).toEqual(["webp", width]);
    }
    for (const path of [`${name}/481.webp`, `${name}/480.png`, `${name}/..%2f480.webp`, "/pictures/x/480.webp"])
      expect((await app.http.inject({ url: path })).statusCode, path).toBe(404);
  });

  test("of any other address, and of a size that somebody made up, are not shown", async () => {
    const shown = await uploaded(300, 200);
    const { id } = await add();
    const { article } = await save(id, {
      body:
        `<p>字</p><img src="https://elsewhere.example/x.png" alt="x"><img src="/files/upload/20260101/x.png" alt="x">` +
        `<img src="/pictures/00000000-0000-4000-8000-000000000000/960.webp" alt="x" width="960" height="9">` +
        `<img src="data:image/png;base64,AAAA" alt="x"><img src="file:///C:/x.png">` +
        `<img src="${shown.src}" alt='"><script>x' width="9" height="9" onload="alert(1)" srcset="//evil.example 1x" style="x">`,
    });
    expect(article.body.match(/<img/g)).toHaveLength(1);
    expect(article.body).toMatch(
      /<p>字<\/p><img src="[^"]+" alt="&quot;&gt;&lt;script&gt;x" width="300" height="200" \/>$/,
    );
  });

  test("need words in each language before they are published", async () => {
    const shown = await uploaded();
    const { id } = await add();
    const refusedField = async () => {
      const { status, data } = await post("article/publish", { id, version: (await content(id)).version });
      return [status, data.reason, data.problems?.[0]?.field];
    };
    await save(id, { body: `<p>字</p>${tagOf(shown, " ")}` });
    expect(await refusedField()).toEqual([400, "article.picture_without_words", "body"]);
    await save(id, { body: `<p>字</p>${tagOf(shown, "风机")}`, titleEn: "A", bodyEn: `<p>a</p>${tagOf(shown)}` });
    expect(await refusedField()).toEqual([400, "article.picture_without_words", "bodyEn"]);
    await save(id, { bodyEn: `<p>a</p>${tagOf(shown, "Fans")}` });
    await publish(id);
  });

  test("T29: what is no picture, or too many pixels, leaves nothing behind", async () => {
    const before = await siteFiles();
    for (const [content, name] of [
      [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), "a.png"],
      [Buffer.from("GIF89a"), "a.jpg"],
      [Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("<script>alert(1)</script>")]), "a.jpg"],
      [(await picture("png")).subarray(0, 300), "a.png"],
      [Buffer.alloc(0), "a.png"],
      [Buffer.alloc(5 * 1024 * 1024 + 1), "a.png"],
    ] as const)
      expect((await sendPicture(content, name)).status).toBe(400);
    const flood = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    expect((await sendPicture(flood, "a.png")).data.reason).toBe("upload.too_many_pixels");
    expect(await siteFiles()).toEqual(before);
    expect((await sendPicture(await picture("png"), "a.png", owner)).status).toBe(403);
  });

  test("stay as long as a version shows them, and go with the article or when nobody used them", async () => {
    const [kept, unused, early] = [await uploaded(), await uploaded(), await uploaded()];
    const { id } = await add();
    await save(id, { body: `<p>字</p>${tagOf(early, "以前")}${tagOf(kept, "现在")}` });
    await save(id, { body: `<p>字</p>${tagOf(kept, "现在")}` });
    const isThere = async ({ src }: Uploaded) => (await app.http.inject({ url: src })).statusCode === 200;
    const sweep = async () => {
      await app.runJob("content.sweep-pictures");
      await sql("update site_files set created_at = now() - interval '2 hours'");
      await app.runJob("files.sweep-site");
    };
    await sweep();
    // Somebody may still be writing.
    expect(await Promise.all([kept, unused, early].map(isThere))).toEqual([true, true, true]);
    await sql("update article_pictures set created_at = now() - interval '8 days'");
    await sweep();
    expect(await Promise.all([kept, unused, early].map(isThere))).toEqual([true, false, true]);
    await ok(post("article/remove", { ids: id }));
    await sweep();
    expect(await Promise.all([kept, early].map(isThere))).toEqual([false, false]);
    const { rows } = await sql(
      "select f.name from site_files f where f.content_type = 'image/webp' and not exists (select from article_picture_files a where a.file_name = f.name)",
    );
    expect(rows).toEqual([]);
  });
});

describe("a search", () => {
  const found = async (keyword: string, more: Record<string, string> = {}) =>
    (await ok(get<Page<ArticleEntry>>("article/skip-secure/page", { keyword, ...more }))).records;
  const meant = async (keyword: string) =>
    (await ok(get<{ keyword: string }>("search/skip-secure/correction", { keyword }))).keyword;
  const told = async (body: string, bodyEn = "", more: Record<string, unknown> = {}) => {
    const { id } = await add(more);
    await save(id, { body, ...(bodyEn !== "" && { titleEn: `English ${id}`, bodyEn }) });
    await publish(id);
    return id;
  };

  test("finds Chinese as it is written, words of alphabets by their beginnings, and all of what is asked for", async () => {
    const id = await told("<p>鸬鹚在湖边最小通水</p>", "<p>Cormorants dive</p>", { topic: "health" });
    for (const word of ["鸬鹚", "鸬", "湖边最小", "cormor", "CORMORANTS", "鸬鹚 湖边", "鸬鹚 dive"])
      expect(
        (await found(word)).map((one) => one.id),
        word,
      ).toEqual([id]);
    for (const word of ["鹚鸬", "湖边通水", "鸬鹚 大海", "ormorants", "' | '鸬鹚", "!", "\\"])
      expect(
        (await found(word)).map((one) => one.id),
        word,
      ).toEqual(word === "' | '鸬鹚" ? [id] : []);
    expect((await found("鸬鹚", { topic: "feed" })).length).toBe(0);
    await ok(post("article/withdraw", { id }));
    expect(await found("鸬鹚")).toEqual([]);
  });

  test("is understood in pinyin, and offers words and titles while somebody types", async () => {
    const offered = async (keyword: string, language = "zh") =>
      (await ok(get<{ offered: string[] }>("search/skip-secure/suggest", { keyword, language }))).offered;
    const ids = [];
    // A word is offered once two articles have it.
    for (let at = 0; at < 2; at += 1) ids.push(await told(`<p>穿山甲 ${at}</p>`));
    expect(await meant("chuanshanjia")).toBe("穿山甲");
    expect(await meant("chuan shan jia")).toBe("穿山甲");
    expect((await offered("穿山"))[0]).toBe("穿山甲");
    expect((await offered("chuansh"))[0]).toBe("穿山甲");
    const title = (await content(ids[0] ?? "")).title;
    expect(await offered("穿山甲")).toContain(title);
    expect(await offered("chuanshan")).toContain(title);
    expect(await offered(" ")).toEqual([]);
    expect(await offered("100%_")).toEqual([]);
    for (const id of ids) await ok(post("article/withdraw", { id }));
    expect(await meant("chuanshanjia")).toBe("");
    expect(await offered("穿山甲")).not.toContain(title);
  });

  test("reads what is published, and says where it found it", async () => {
    const id = await told(`<p>${"前".repeat(200)}犰狳走过</p>`);
    expect((await found("犰狳"))[0]?.excerpt).toMatch(/^…前+犰狳走过$/);
    await save(id, { body: "<p>袋熊</p>" });
    expect([(await found("犰狳")).length, (await found("袋熊")).length]).toEqual([1, 0]);
    await publish(id);
    expect([(await found("犰狳")).length, (await found("袋熊")).length]).toEqual([0, 1]);
    // A title says it already.
    expect((await found((await content(id)).title))[0]?.excerpt).toBeUndefined();
  });

  test("offers what was meant where one letter is wrong and something is found by it, and nothing else", async () => {
    const id = await told("<p>蜂鸟悬停采蜜。食蚁兽</p>", "<p>Hummingbirds hover over honeysuckle</p>");
    expect(await meant("蜂鸟选停")).toBe("蜂鸟悬停");
    expect(await meant("食蚊兽")).toBe("食蚁兽");
    for (const wrong of ["humingbirds", "hummingbirts", "hummimgbirds", "hummingbrids", "HONEYSUCLE"])
      expect(await meant(wrong), wrong).toBe(/^h/i.test(wrong) && wrong.length > 10 ? "hummingbirds" : "honeysuckle");
    for (const unknown of ["zzzzzz", "完全没有", "ab", "!"]) expect(await meant(unknown), unknown).toBe("");
    await ok(post("article/withdraw", { id }));
    // A word that only a withdrawn article used tells nothing.
    expect(await meant("humingbirds")).toBe("");
  });

  test("learns what came into the database otherwise", async () => {
    const id = await told("<p>鸭嘴兽</p>");
    await sql("delete from article_search where article_id = $1", [id]);
    expect(await found("鸭嘴兽")).toEqual([]);
    await app.runJob("content.search");
    expect((await found("鸭嘴兽")).map((one) => one.id)).toEqual([id]);
  });

  test("counts a thousand, and where more hold the word it still answers page after page, the newest first", async () => {
    const many = 1100;
    await sql(
      `insert into articles (id, title, channel, state, published_version, published_channel, published_topic, published_at)
       select 700000 + n, 'Flood ' || n, 'news', 'published', 1, 'news', case when n % 2 = 0 then 'company' else '' end, now() - make_interval(mins => n)
         from generate_series(1, $1::int) n`,
      [many],
    );
    await sql(
      `insert into article_versions (article_id, number, title, title_en, summary, summary_en, channel, topic, page, cover, author, example, body, body_en)
       select id, 1, title, '', '', '', channel, '', '', '', '', false, '<p>洪水来了</p>', '' from articles where id between 700001 and 700000 + $1::int`,
      [many],
    );
    await sql(
      `insert into article_search (article_id, version, channel, topic, published_at, lexemes)
       select id, 1, published_channel, published_topic, published_at, '''洪水'':1 ''水来'':2 ''来了'':3'::tsvector from articles where id between 700001 and 700000 + $1::int`,
      [many],
    );
    const page = (query: Record<string, string>) =>
      ok(get<Page<ArticleEntry>>("article/skip-secure/page", { keyword: "洪水来", size: "3", ...query }));
    const ids = ({ records }: Page<ArticleEntry>) => records.map(({ id }) => id);
    const first = await page({});
    expect([first.total, ids(first)]).toEqual([1001, ["700001", "700002", "700003"]]);
    expect(ids(await page({ current: "2" }))).toEqual(["700004", "700005", "700006"]);
    // Of few, the count is the whole one.
    const few = await page({ topic: "company" });
    expect([few.total, ids(few)]).toEqual([many / 2, ["700002", "700004", "700006"]]);
    expect(ids(await page({ topic: "company", current: "184" }))).toEqual(["701100"]);
    expect(ids(await page({ topic: "company", current: "185" }))).toEqual([]);
    await sql("delete from articles where id between 700001 and 700000 + $1::int", [many]);
  });
});

describe("figures of a kind", () => {
  test("are those of a device that its owner lets visitors see, and nothing of anybody else", async () => {
    const of = (kind: string) =>
      ok(
        get<{ figures: { key: string; value: number }[]; measuredAtMs: number }>("section/skip-secure/kind-figures", {
          kind,
        }),
      );
    const reading = { ts: Date.now(), values: { nh3_in: 12.3, nh3_out: 0.8, ph: 4.1, secret: 7 } };
    expect((await of("deodorization")).figures).toEqual([]);
    const { rows } = await sql(
      "select d.serial_number, t.showcase from devices d join tenants t on t.tenant_id = d.tenant_id where d.kind = 'bathroom' order by d.sort",
    );
    const hidden = rows.find(({ showcase }: { showcase: boolean }) => !showcase)?.serial_number as string | undefined;
    const open = rows.find(({ showcase }: { showcase: boolean }) => showcase)?.serial_number as string;
    if (hidden !== undefined) {
      expect(await app.report(hidden, { ...reading, values: { water_t: 39.9, flow: 3 } })).toBe(200);
      expect((await of("bathroom")).figures).toEqual([]);
    }
    expect(await app.report(open, { ...reading, values: { water_t: 38.4, flow: 9.5, unknown: 1 } })).toBe(200);
    // What visitors were told a moment ago is told for some seconds.
    const later = Date.now() + 6000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => later);
    try {
      expect((await of("bathroom")).figures.map(({ key, value }) => [key, value])).toEqual([
        ["water_t", 38.4],
        ["flow", 9.5],
      ]);
    } finally {
      clock.mockRestore();
    }
    expect((await get("section/skip-secure/kind-figures", { kind: "nothing" })).status).toBe(400);
  });

  test("come with the full hours of a day since the device is its owner's, of figures in one unit", async () => {
    const { rows } = await sql(
      `select d.id::text from devices d join tenants t on t.tenant_id = d.tenant_id
        where d.kind = 'bathroom' and t.showcase order by d.sort, d.id limit 1`,
    );
    const { id } = rows[0] as { id: string };
    const hourMs = 3_600_000;
    const end = Math.floor(Date.now() / hourMs) * hourMs + 2 * hourMs;
    const hour = (ago: number): Date => new Date(end - ago * hourMs);
    const partitions = partitionRepository(app.test.database.kysely, systemScope("a test writes hours"));
    for (const at of new Set([30, 0].map((ago) => partitionAt("telemetryHours", hour(ago).getTime()))))
      await partitions.create("telemetryHours", at);
    for (const [key, ago, sum] of [
      ["water_t", 30, 1],
      ["water_t", 5, 76],
      ["water_t", 3, 78],
      ["water_t", 0, 2],
      ["room_t", 3, 48],
      ["flow", 3, 20],
    ] as const)
      await sql(
        `insert into telemetry_hours (device_id, key, hour, min, max, sum, count, held, first_ms, last, last_ms)
         values ('${id}', '${key}', '${hour(ago).toISOString()}', 0, 99, ${sum}, 2, 0, 0, 0, 0)`,
      );
    await sql(`update devices set owned_since = '${hour(20).toISOString()}' where id = '${id}'`);
    const clock = vi.spyOn(Date, "now").mockImplementation(() => end + 60_000);
    try {
      await app.report(
        (await sql(`select serial_number from devices where id = '${id}'`)).rows[0].serial_number as string,
        { ts: Date.now(), values: { water_t: 38.4, room_t: 24, flow: 9.5 } },
      );
      const { day } = await ok(get<KindFigures>("section/skip-secure/kind-figures", { kind: "bathroom" }));
      expect([day?.endMs, day?.unit.en]).toEqual([end, "°C"]);
      expect(day?.series.map(({ key, points }) => [key, points])).toEqual([
        [
          "water_t",
          [
            [end - 5 * hourMs, 38],
            [end - 3 * hourMs, 39],
          ],
        ],
        ["room_t", [[end - 3 * hourMs, 24]]],
      ]);
    } finally {
      clock.mockRestore();
    }
  });
});

describe("rights", () => {
  test("writing and publishing are the group's, each with its own permission", async () => {
    const id = await written();
    for (const [path, body] of [
      ["article/write", { id, version: 1, body: "<p>x</p>" }],
      ["article/publish", { id, version: 1 }],
      ["article/withdraw", { id }],
      ["article/restore", { id, number: 1, version: 1 }],
      ["article/preview-link", { id }],
      ["article/check-links", { links: ["/news"] }],
    ] as const)
      expect((await post(path, body, owner)).status, path).toBe(403);
    for (const path of ["article/content", "article/versions"])
      expect((await get(path, { id }, owner)).status, path).toBe(403);
    expect((await get("article/content", { id })).status).toBe(401);
  });
});

describe("a machine's translation", () => {
  const propose = async (id: string, field: string, version?: number) =>
    post<ArticleDraft>("article/translate", { id, field, version: version ?? (await content(id)).version });
  const translated = async () => {
    const id = await written();
    for (const field of ["titleEn", "summaryEn", "bodyEn"]) await ok(propose(id, field));
    return id;
  };

  test("is a proposal that stays marked until a person accepts or edits it, field by field", async () => {
    const id = await translated();
    const { title, ...proposed } = await content(id);
    expect(proposed).toMatchObject({
      titleEn: `EN:${title}`,
      summaryEn: "EN:说什么",
      bodyEn: "<h2>EN:一</h2><p>EN:正文</p><h2>EN:二</h2><p>EN:再说</p>",
      unreviewed: ["titleEn", "summaryEn", "bodyEn"],
    });
    // Another save leaves the marks, an edit takes that of its field away, whichever way it comes.
    expect((await save(id, { body: "<p>正文</p>" })).article.unreviewed).toEqual(["titleEn", "summaryEn", "bodyEn"]);
    expect((await save(id, { bodyEn: "<p>My own words</p>" })).article.unreviewed).toEqual(["titleEn", "summaryEn"]);
    await sql("update articles set summary_en = 'From a sheet' where id = $1", [id]);
    expect((await content(id)).unreviewed).toEqual(["titleEn"]);
    const { article } = await save(id, { reviewed: ["titleEn"] });
    expect(article).toMatchObject({ unreviewed: [], titleEn: `EN:${title}` });
    // Versions keep which words were whose.
    const marked = await ok(post<ArticleDraft>("article/restore", { id, number: 5, version: article.version }));
    expect(marked.unreviewed).toEqual(["titleEn", "summaryEn", "bodyEn"]);
  });

  test("never replaces a person's words, nor those that a person has read", async () => {
    const id = await written();
    await save(id, { bodyEn: "<p>My own words</p>" });
    const refused = await propose(id, "bodyEn");
    expect([refused.status, refused.data.reason]).toEqual([409, "translation.written_by_person"]);
    await ok(propose(id, "titleEn"));
    // One that nobody has looked at may be proposed anew.
    await ok(propose(id, "titleEn"));
    await save(id, { reviewed: ["titleEn"] });
    expect((await propose(id, "titleEn")).data.reason).toBe("translation.written_by_person");
    // Chinese words are a person's as well.
    expect((await propose(id, "body")).data.reason).toBe("translation.written_by_person");
    expect(await content(id)).toMatchObject({ bodyEn: "<p>My own words</p>", unreviewed: [] });
  });

  test("does not replace what a person saves while the machine works", async () => {
    const id = await written();
    const { version } = await content(id);
    await save(id, { titleEn: "Mine" });
    expect((await propose(id, "titleEn", version)).data.reason).toBe("article.changed_meanwhile");
    expect((await content(id)).titleEn).toBe("Mine");
  });

  test("is not paid for where a person's words stand", async () => {
    const id = await written();
    await save(id, { titleEn: "Mine" });
    const before = machine.asked();
    expect((await propose(id, "titleEn")).data.reason).toBe("translation.written_by_person");
    expect(machine.asked()).toBe(before);
  });

  test("does not replace words that came past the editor while the machine worked", async () => {
    const id = await written();
    // What a sheet or a repair by hand writes may leave the version as it was.
    machine.meanwhile = () => sql("update articles set title_en = 'Past the editor' where id = $1", [id]);
    try {
      const refused = await propose(id, "titleEn");
      expect([refused.status, refused.data.reason]).toEqual([409, "translation.written_by_person"]);
    } finally {
      machine.meanwhile = undefined;
    }
    expect(await content(id)).toMatchObject({ titleEn: "Past the editor", unreviewed: [] });
    // The same where a proposal stood, which somebody put words in the place of.
    const other = await translated();
    await save(other, { summary: "机器还没见过的一句" });
    machine.meanwhile = () => sql("update articles set summary_en = 'Past the editor, too' where id = $1", [other]);
    try {
      expect((await propose(other, "summaryEn")).data.reason).toBe("translation.written_by_person");
    } finally {
      machine.meanwhile = undefined;
    }
    expect(await content(other)).toMatchObject({
      summaryEn: "Past the editor, too",
      unreviewed: ["titleEn", "bodyEn"],
    });
  });

  test.each([
    ["summary", "summary", "Other words"],
    ["body", "body", "<p>Other words</p>"],
    ["titleEn", "title_en", "Other words"],
    ["summaryEn", "summary_en", "Other words"],
    ["bodyEn", "body_en", "<p>Other words</p>"],
  ])("loses the mark of %s when its words change, and no other's", async (field, column, words) => {
    const id = await written({ titleEn: "In English", summaryEn: "What it says" });
    await save(id, { bodyEn: "<p>Said</p>" });
    const all = ["summary", "body", "titleEn", "summaryEn", "bodyEn"];
    await sql("update articles set unreviewed = $2 where id = $1", [id, all]);
    await sql(`update articles set ${column} = $2 where id = $1`, [id, words]);
    expect((await content(id)).unreviewed).toEqual(all.filter((one) => one !== field));
  });

  test("into Chinese is kept out of the site map and the feed of that language", async () => {
    const id = await written({ titleEn: "Written in English", summaryEn: "First" });
    await save(id, { bodyEn: "<p>Said</p>" });
    await sql("update articles set unreviewed = '{summary,body}' where id = $1", [id]);
    await publish(id);
    expect(await ok(read(id))).toMatchObject({ language: "zh", languages: ["en"], unreviewed: true });
    await vi.waitFor(async () => expect((await app.http.inject("/rss-en.xml")).payload).toContain(`article-${id}-en`));
    expect((await app.http.inject("/rss.xml")).payload).not.toContain(`article-${id}-zh`);
    expect((await app.http.inject("/sitemap.xml")).payload).not.toContain(`informationDetails?id=${id}<`);
  });

  test("is shown as one, kept out of search engines and feeds, until it was read", async () => {
    const id = await translated();
    await publish(id);
    expect(await ok(read(id, "en"))).toMatchObject({ language: "en", languages: ["zh"], unreviewed: true });
    expect((await ok(read(id))).unreviewed).toBeUndefined();
    const feed = async () => (await app.http.inject("/rss-en.xml")).payload;
    const map = async () => (await app.http.inject("/sitemap.xml")).payload;
    expect(await feed()).not.toContain(`article-${id}-en`);
    expect(await map()).toContain(`informationDetails?id=${id}<`);
    expect(await map()).not.toContain(`id=${id}&amp;lang=en`);
    // A page whose title was read is still a machine's as long as its body is; lists show no body.
    await save(id, { reviewed: ["titleEn", "summaryEn"] });
    await publish(id);
    expect(await ok(read(id, "en"))).toMatchObject({ languages: ["zh"], unreviewed: true });
    await save(id, { reviewed: ["bodyEn"] });
    await publish(id);
    const reviewed = await ok(read(id, "en"));
    expect([reviewed.languages, reviewed.unreviewed]).toEqual([["zh", "en"], undefined]);
    await vi.waitFor(async () => expect(await feed()).toContain(`article-${id}-en`));
    expect(await map()).toContain(`id=${id}&amp;lang=en`);
  });

  test("is not made of nothing, nor half, and needs the right to write", async () => {
    const { id } = await add();
    expect((await propose(id, "bodyEn")).data.reason).toBe("translation.no_source");
    machine.isThere = false;
    await save(id, { body: "<p>没有人翻译过这一句</p>" });
    expect((await propose(id, "bodyEn")).data.reason).toBe("translation.none");
    machine.isThere = true;
    expect((await content(id)).bodyEn).toBe("");
    const { version } = await content(id);
    expect((await post("article/translate", { id, field: "bodyEn", version }, owner)).status).toBe(403);
  });
});

describe("files for robots and readers", () => {
  test("name what is published, in both languages where it was written, and nothing else", async () => {
    const [shown, hidden] = [await written(), await written()];
    await save(shown, { title: "带 <尖> 的 & 标题", titleEn: "With <b>", summaryEn: "x", bodyEn: "<p>x</p>" });
    await publish(shown);
    const text = async (path: string) => (await app.http.inject({ method: "GET", url: path })).body;
    const map = await text("/sitemap.xml");
    expect(map).toContain(`/informationDetails?id=${shown}</loc>`);
    expect(map).toContain(`/informationDetails?id=${shown}&amp;lang=en</loc>`);
    expect(map).not.toContain(hidden);
    expect(await text("/rss.xml")).toContain("带 &lt;尖&gt; 的 &amp; 标题");
    expect(await text("/rss-en.xml")).toContain("With &lt;b&gt;");
    expect(await text("/robots.txt")).toMatch(/Disallow: \/preview\n[\s\S]*Sitemap: http/);
    await ok(post("article/withdraw", { id: shown }));
    expect(await text("/sitemap.xml")).not.toContain(shown);
  });
});

describe("partners", () => {
  test("are shown in their order and language, and hidden ones not", async () => {
    const partner = (fields: Record<string, unknown>) =>
      ok(post<{ id: string }>("partner/submit", { kind: "feed", ...fields }));
    const late = await partner({ partnerName: "后一家", sort: 20 });
    const early = await partner({ partnerName: "先一家", partnerNameEn: "The first", sort: 10 });
    const hidden = await partner({ partnerName: "不显示", shown: false });
    const listed = await ok(get<PublicPartner[]>("partner/skip-secure/list", { language: "en" }));
    expect(listed.map(({ id }) => id).filter((id) => [early.id, late.id].includes(id))).toEqual([early.id, late.id]);
    expect(listed.find(({ id }) => id === early.id)?.name).toBe("The first");
    expect(listed.map(({ id }) => id)).not.toContain(hidden.id);
  });
});
