import { createHash } from "node:crypto";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentKind, Page, PublicDocument } from "@herdwise/contract";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProductPaper, writePdf } from "../../apps/server/src/modules/product-documents/index.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { openSiteDesk, type Refused, type SiteDesk } from "../harness/site-desk.ts";
import { picture, upload } from "../harness/upload.ts";

let desk: SiteDesk;
let app: TestApp;
let admin: string;
let owner: string;
let pdf: Buffer;

const base = "/api/muyuan-content/document";
const paper = (word: string, pages = 1): ProductPaper => ({
  title: "环境控制器安装说明",
  titleEn: "Climate controller: installation",
  line: "说明书 Manual · 环境控制",
  version: "B",
  example: "",
  sections: [
    { title: "安装", titleEn: "Installation", blocks: [{ block: "text", text: word }] },
    ...Array.from({ length: pages - 1 }, (_, at) => ({
      title: `第 ${at + 2} 节`,
      titleEn: "More",
      blocks: [{ block: "points" as const, points: Array.from({ length: 60 }, (__, line) => `第 ${line} 条`) }],
    })),
  ],
});
const pdfOf = async (word: string, pages?: number) => Buffer.from((await writePdf(paper(word, pages))).bytes);

let made = 0;
const add = async (fields: Record<string, unknown> = {}): Promise<string> => {
  made += 1;
  const { body } = await app.call({
    method: "POST",
    path: `${base}/submit`,
    body: {
      documentTitle: `资料 ${made}`,
      documentTitleEn: `Document ${made}`,
      kind: "manual" satisfies DocumentKind,
      product: "environment",
      documentVersion: "B",
      summary: "说什么",
      ...fields,
    },
    token: admin,
  });
  return (body.data as { id: string }).id;
};
const send = async (id: string, content: Buffer, name = "a.pdf", token = admin) => {
  const { status, body } = await upload(app, token, content, name, { path: `${base}/upload`, query: { id } });
  return { status, data: body.data as unknown as { pages: number; fileBytes: number } & Refused };
};
const publish = async (id: string, published = true, token = admin) => {
  const { status, body } = await app.call({ method: "POST", path: `${base}/publish`, body: { id, published }, token });
  return { status, data: body.data as Refused };
};
const remove = async (id: string) => {
  const { status, body } = await app.call({ method: "POST", path: `${base}/remove`, body: { ids: id }, token: admin });
  return { status, reason: (body.data as Refused)?.reason };
};
const list = async (query: Record<string, string>): Promise<string[]> =>
  ((await app.call({ path: `${base}/skip-secure/page`, query })).body.data as Page<PublicDocument>).records.map(
    ({ id }) => id,
  );
const shown = async (content = pdf, fields: Record<string, unknown> = {}): Promise<string> => {
  const id = await add(fields);
  expect((await send(id, content)).status).toBe(200);
  expect((await publish(id)).status).toBe(200);
  return id;
};

beforeAll(async () => {
  desk = await openSiteDesk();
  ({ app, admin, owner } = desk);
  pdf = await pdfOf("探头挂在猪背高度以上", 3);
});
afterAll(() => app.close());

describe("a document", () => {
  test("is found, read page by page and fetched once it is published, and until it is taken off", async () => {
    const id = await add({ documentTitleEn: "In English", summaryEn: "What it says" });
    const uploaded = await send(id, pdf);
    expect(uploaded.data).toMatchObject({ fileBytes: pdf.length });
    expect(uploaded.data.pages).toBeGreaterThanOrEqual(3);
    const hidden = [`/documents/${id}/document.pdf`, `/documents/${id}/page-1.png`];
    for (const path of hidden) expect((await desk.fetched(path)).statusCode, path).toBe(404);
    expect((await app.call({ path: `${base}/skip-secure/detail`, query: { id } })).status).toBe(404);
    const before = desk.told();
    expect((await publish(id)).status).toBe(200);
    expect(desk.told()).toBe(before + 1);
    const { document } = (await app.call({ path: `${base}/skip-secure/detail`, query: { id, language: "en" } })).body
      .data as { document: PublicDocument };
    expect(document).toMatchObject({
      title: "In English",
      summary: "What it says",
      pages: uploaded.data.pages,
      sha256: createHash("sha256").update(pdf).digest("hex"),
    });

    const file = await desk.fetched(`/documents/${id}/document.pdf`);
    expect(file.rawPayload.equals(pdf)).toBe(true);
    expect(file.headers).toMatchObject({
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="[\w.-]+\.pdf"; filename\*=UTF-8''/);
    const again = await desk.fetched(`/documents/${id}/document.pdf`, { "if-none-match": String(file.headers.etag) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);

    const page = await desk.fetched(`/documents/${id}/page-1.png`);
    const { format, width = 0 } = await sharp(page.rawPayload).metadata();
    expect([format, page.headers["content-type"]]).toEqual(["png", "image/png"]);
    expect(width).toBeGreaterThan(900);
    // Black on white, and not a white sheet.
    expect((await sharp(page.rawPayload).stats()).channels[0]?.min).toBeLessThan(80);

    expect((await remove(id)).reason).toBe("document.still_published");
    expect((await publish(id, false)).status).toBe(200);
    for (const path of hidden) expect((await desk.fetched(path)).statusCode, path).toBe(404);
    expect(await list({ size: "100" })).not.toContain(id);
    expect((await remove(id)).status).toBe(200);
  });

  test("that is not published is seen by whoever holds its signed address, and by nobody with another one", async () => {
    const [id, other] = [await add(), await add()];
    for (const one of [id, other]) await send(one, pdf);
    const link = async (of: string, token = admin) =>
      app.call({ method: "POST", path: `${base}/preview-link`, body: { id: of }, token });
    const preview = (await link(id)).body.data as { file: string; pages: string[] };
    expect(preview.pages.length).toBeGreaterThan(2);
    const file = await desk.fetched(preview.file);
    expect(file.rawPayload.equals(pdf)).toBe(true);
    expect(file.headers["cache-control"]).toBe("private, no-store");
    expect((await desk.fetched(preview.pages[0] ?? "")).headers["content-type"]).toBe("image/png");
    const [path = "", token = ""] = preview.file.split("?preview=");
    const [, number, until, signature] = token.split(".");
    for (const forged of [
      path,
      `${path}?preview=`,
      `/documents/${other}/document.pdf?preview=${token}`,
      `/documents/${other}/document.pdf?preview=${other}.${number}.${until}.${signature}`,
      `${path}?preview=${id}.${number}.${Number(until) + 1}.${signature}`,
      `${path}?preview=${token}&preview=${token}`,
    ])
      expect((await desk.fetched(forged)).statusCode, forged).toBe(404);
    expect((await link(id, owner)).status).toBe(403);
    expect((await link(await add())).status).toBe(404);
  });

  test("is published with a file and a summary only", async () => {
    const id = await add({ summary: "" });
    expect(await publish(id)).toMatchObject({ status: 409, data: { reason: "document.no_file" } });
    await send(id, pdf);
    expect((await publish(id)).data.problems?.[0]?.field).toBe("summary");
    expect((await publish("1")).status).toBe(404);
    const whole = await shown();
    const { body } = await app.call({
      method: "POST",
      path: `${base}/submit`,
      body: { id: whole, version: 2, summary: "" },
      token: admin,
    });
    expect((body.data as Refused).reason).toBe("document.incomplete");
  });

  test("is listed by kind and product, newest first, and found by what its file says", async () => {
    const [old, young] = [
      await shown(await pdfOf("量一量斑马鱼的水温"), { product: "bathroom", kind: "report" }),
      await shown(pdf, { product: "bathroom" }),
    ];
    expect(await list({ product: "bathroom" })).toEqual([young, old]);
    expect(await list({ product: "bathroom", kind: "report" })).toEqual([old]);
    expect(await list({ keyword: "斑马鱼" })).toEqual([old]);
    // Wild cards of SQL are characters like others.
    expect(await list({ keyword: "%", product: "bathroom" })).toEqual([]);
    const { related } = (await app.call({ path: `${base}/skip-secure/detail`, query: { id: old } })).body.data as {
      related: PublicDocument[];
    };
    expect(related.map(({ id }) => id)).toEqual([young]);
    const map = (await desk.fetched("/sitemap.xml")).body;
    expect(map).toContain(`/service/fileShow?id=${young}</loc>`);
  });

  test("that gets another file shows and says the new one, and the old file goes", async () => {
    const id = await shown(await pdfOf("从前写的犰狳"));
    await desk.fetched(`/documents/${id}/page-1.png`);
    expect((await send(id, await pdfOf("现在写的袋熊"))).status).toBe(200);
    expect(await list({ keyword: "犰狳" })).toEqual([]);
    expect(await list({ keyword: "袋熊" })).toEqual([id]);
    const files = async () => (await desk.sql<{ name: string }>("select name from site_files")).map(({ name }) => name);
    const before = await files();
    const [{ count = "" } = {}] = await desk.sql<{ count: string }>(
      "select count(*) from site_files f where content_type = 'application/pdf' and not exists (select from product_documents d where d.file_name = f.name)",
    );
    await desk.sql("update site_files set created_at = now() - interval '2 hours'");
    await app.runJob("files.sweep-site");
    const after = await files();
    const gone = before.filter((name) => !after.includes(name));
    // Files that no document has any more, each with the picture that was drawn of it; what a document names stays.
    expect(Number(count)).toBeGreaterThan(0);
    for (const kind of ["pdf", "png"])
      expect(
        gone.filter((name) => name.endsWith(kind)),
        kind,
      ).toHaveLength(Number(count));
    const named = await desk.sql<{ name: string }>(
      "select file_name as name from product_documents where file_name is not null",
    );
    expect(named.filter(({ name }) => !after.includes(name))).toEqual([]);
    expect((await desk.fetched(`/documents/${id}/document.pdf`)).statusCode).toBe(200);
  });
});

describe("a page that two servers draw at once", () => {
  test("is shown by one picture, and the other one is swept", async () => {
    const other = await createTestApp({}, { test: app.test, bus: desk.bus });
    try {
      const id = await shown();
      // One disk holds the files of both.
      await cp(join(app.dataDir, "files"), join(other.dataDir, "files"), { recursive: true });
      const answers = await Promise.all(
        [app, other].map(({ http }) => http.inject({ url: `/documents/${id}/page-1.png` })),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      const drawn = await desk.sql<{ name: string; named: boolean }>(
        `select f.name, exists (select from document_page_pictures p where p.picture_name = f.name) as named
           from site_files f where f.content_type = 'image/png' and f.created_at > now() - interval '1 minute'`,
      );
      const orphan = drawn.find(({ named }) => !named)?.name;
      expect(orphan).toBeDefined();
      await desk.sql("update site_files set created_at = now() - interval '2 hours'");
      await app.runJob("files.sweep-site");
      const left = (await desk.sql<{ name: string }>("select name from site_files")).map(({ name }) => name);
      expect(left).not.toContain(orphan);
      expect(drawn.filter(({ named, name }) => named && !left.includes(name))).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe("T29: what is no document", () => {
  const locked = (bytes: Buffer): Buffer =>
    Buffer.from(
      bytes
        .toString("latin1")
        .replace(
          /trailer\s*<</,
          "trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /O (0123456789abcdef0123456789abcdef) /U (0123456789abcdef0123456789abcdef) /P -4 >>",
        ),
      "latin1",
    );
  test("is refused whatever it is called, and nothing of it is kept", async () => {
    const id = await add();
    const before = await desk.sql("select from site_files");
    const cases: readonly (readonly [string, Buffer])[] = [
      ["a picture", await picture("png")],
      ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
      ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ["the head of a PDF and nothing else", Buffer.from("%PDF-1.7\n%%EOF")],
      ["a program", Buffer.from(`MZ${"\0".repeat(500)}`)],
      ["a PDF without its half", pdf.subarray(0, 200)],
      ["a PDF that asks for a password", locked(pdf)],
      ["random bytes", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))],
    ];
    for (const [what, content] of cases) {
      const { status, data } = await send(id, content);
      expect([what, status, data.reason]).toEqual([what, 400, "document.unreadable"]);
    }
    expect((await send(id, Buffer.alloc(0))).status).toBe(400);
    expect((await send(id, Buffer.alloc(20 * 1024 * 1024 + 1))).status).toBe(400);
    expect(await desk.sql("select from site_files")).toHaveLength(before.length);
    expect((await send("1", pdf)).status).toBe(404);
  });

  test("T30: is found at no address, and no page beyond those that are shown", async () => {
    const id = await shown();
    expect((await desk.fetched(`/documents/${id}/page-1.png`)).statusCode).toBe(200);
    for (const path of [
      `/documents/${id}/page-0.png`,
      `/documents/${id}/page-99.png`,
      `/documents/${id}/page-1.pdf`,
      `/documents/${id}/document.html`,
      `/documents/${id}/..%2f..%2fdocument.pdf`,
      `/documents/..%2f${id}/document.pdf`,
      `/documents/${id}%00/document.pdf`,
      "/documents/1/document.pdf",
      "/documents/999999999999999999999/document.pdf",
    ])
      expect((await desk.fetched(path)).statusCode, path).toBe(404);
  });

  test("comes from nobody but the group's editors", async () => {
    const id = await add();
    expect((await send(id, pdf, "a.pdf", owner)).status).toBe(403);
    expect((await publish(id, true, owner)).status).toBe(403);
    expect((await app.call({ method: "POST", path: `${base}/publish`, body: { id, published: true } })).status).toBe(
      401,
    );
  });
});
