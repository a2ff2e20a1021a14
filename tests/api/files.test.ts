import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import type { Attachment, Page, UploadedFile } from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { reasons } from "../../apps/server/src/http/reasons.ts";
import { fileRepository } from "../../apps/server/src/modules/files/file.repository.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { multipartOf, picture, plainBmp, upload } from "../harness/upload.ts";
import { volume } from "../harness/volume.ts";
import { workProcesses } from "../harness/work-processes.ts";

let app: TestApp;
let owner: string;
let stranger: string;
beforeAll(async () => {
  app = await createTestApp();
  [owner, stranger] = await Promise.all([app.logIn("farm"), app.logIn("admin")]);
});
afterAll(() => app.close());
afterEach(() => app.test.database.pool.query("delete from attachments"));

const pathOf = (link: string): string => new URL(link).pathname;
const open = (path: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: "GET", url: path, headers });
const stored = async (): Promise<string[]> =>
  (await readdir(join(app.dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const incoming = () => readdir(join(app.dataDir, "incoming")).catch(() => []);
const rows = async () => (await app.test.database.pool.query("select * from attachments")).rows;
const sheet = (bookType: "xlsx" | "xls"): Buffer => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([["姓名"], ["张三"]]), "一");
  return write(book, { type: "buffer", bookType });
};
const put = async (content: Buffer, name: string, query: Record<string, string> = {}): Promise<UploadedFile> => {
  const { status, body } = await upload(app, owner, content, name, { query });
  expect(status, body.msg).toBe(200);
  return body.data;
};

describe("pictures", () => {
  test("the answer is the family's; the picture and its small version are shown to whoever knows the address", async () => {
    const file = await put(await picture("png"), "猪舍.png");
    expect(file).toEqual({
      link: expect.stringMatching(/^http:\/\/localhost:8080\/files\/upload\/\d{8}\/[0-9a-f-]{36}\.png$/),
      domain: "http://localhost:8080/files",
      name: file.link.replace("http://localhost:8080/files/", ""),
      originalName: "猪舍.png",
      attachId: expect.stringMatching(/^\d+$/),
    });
    const whole = await open(pathOf(file.link));
    expect(whole.statusCode).toBe(200);
    expect(whole.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "inline",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
    expect(await sharp(whole.rawPayload).metadata()).toMatchObject({ width: 640, height: 400 });
    const small = await open(pathOf(smallPictureOf(file.link)));
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ width: 320, height: 200 });
  });

  test("a photograph loses where and when it was taken, and stands upright", async () => {
    const photo = await sharp(await picture("jpeg"))
      .withExif({ IFD0: { Copyright: "SECRETPLACE" }, IFD3: { GPSLatitude: "30/1 15/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const { rawPayload } = await open(pathOf((await put(photo, "photo.JPG")).link));
    const { exif, orientation, width, height } = await sharp(rawPayload).metadata();
    expect([exif, orientation, width, height]).toEqual([undefined, undefined, 400, 640]);
    expect(rawPayload.toString("latin1")).not.toContain("SECRETPLACE");
  });

  test.each([32, 24, 8, 4, 1])("bmp of %i bits becomes png with the same pixels", async (bits) => {
    const file = await put(plainBmp(bits, 8, 8), "图.bmp");
    expect(file.name).toMatch(/\.png$/);
    const { rawPayload } = await open(pathOf(file.link));
    const { data: pixels, info } = await sharp(rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, [...pixels.subarray(0, 3)]]).toEqual([8, 8, [255, 200, 100]]);
  });

  test("a private picture is its owner's alone", async () => {
    const { link } = await put(await picture("png"), "证件.png", { visibility: "private" });
    const as = (token: string) => open(pathOf(link), { "muyuan-auth": `bearer ${token}` });
    expect([(await open(pathOf(link))).statusCode, (await as(stranger)).statusCode]).toEqual([404, 404]);
    const own = await as(owner);
    expect([own.statusCode, own.headers["cache-control"]]).toEqual([200, "private, no-store"]);
  });
});

test.each(["xlsx", "xls"] as const)("a %s is private, byte for byte what was sent, and only saved", async (type) => {
  const bytes = sheet(type);
  const { link } = await put(bytes, `人员 (1).${type}`);
  expect((await open(pathOf(link))).statusCode).toBe(404);
  const answer = await open(pathOf(link), { "muyuan-auth": `bearer ${owner}` });
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers["content-disposition"]).toBe(
    `attachment; filename="____1_.${type}"; filename*=UTF-8''%E4%BA%BA%E5%91%98%20%281%29.${type}`,
  );
});

test.each([
  ["html", "<table><tr><td><script>alert(1)</script></td></tr></table>"],
  ["xls", "<html><table><tr><td onclick=alert(1)>a</td></tr></table></html>"],
  ["xml", "<?xml version='1.0'?><Workbook/>"],
  ["csv", "a,b\n=1+1,2"],
])("a sheet of markup or text under the name %s is only saved, as bytes that no browser shows", async (type, text) => {
  const { link } = await put(Buffer.from(text), `a.${type}`);
  expect((await open(pathOf(link))).statusCode).toBe(404);
  const answer = await open(pathOf(link), { "muyuan-auth": `bearer ${owner}` });
  expect([answer.body, answer.headers["content-type"], answer.headers["x-content-type-options"]]).toEqual([
    text,
    "application/octet-stream",
    "nosniff",
  ]);
  expect(answer.headers["content-disposition"]).toMatch(/^attachment;/);
});

test("aliases of the family take files, too; a name may be given beside it", async () => {
  for (const alias of ["put-file", "put-file-by-name", "put-file-attach-by-name"]) {
    const path = `/api/muyuan-resource/oss/endpoint/${alias}`;
    const { body } = await upload(app, owner, await picture("png"), "a.png", { path, query: { fileName: "b.png" } });
    expect(body.data.originalName).toBe("b.png");
  }
});

test("what is known of a file, its address, the list and removal are the owner's", async () => {
  const bytes = await picture("png");
  const file = await put(bytes, "a.png");
  await put(bytes, "other.png");
  const oss = "/api/muyuan-resource/oss/endpoint";
  const attach = "/api/muyuan-resource/attach";
  const known = await app.get<{ length: number }>(`${oss}/stat-file?fileName=${file.name}`, owner);
  expect(known.body.data).toMatchObject({ link: file.link, contentType: "image/png" });
  const content = await open(pathOf(file.link));
  expect(known.body.data.length).toBe(content.rawPayload.length);
  expect((await app.get(`${oss}/file-path?fileName=${file.name}`, owner)).body.data).toBe(file.link);
  const page = await app.get<Page<Attachment>>(`${attach}/list?originalName=A.P`, owner);
  expect(page.body.data.records.map(({ id }) => id)).toEqual([file.attachId]);
  for (const path of [
    `${oss}/stat-file?fileName=${file.name}`,
    `${oss}/file-link?fileName=${file.name}`,
    `${attach}/detail?id=${file.attachId}`,
  ]) {
    expect((await app.get(path, stranger)).status, path).toBe(404);
  }
  expect((await app.get<Page<Attachment>>(`${attach}/list`, stranger)).body.data.total).toBe(0);
  const before = await stored();
  await app.call({ method: "POST", path: `${attach}/remove`, query: { ids: file.attachId }, token: stranger });
  await app.call({ method: "POST", path: `${oss}/remove-files`, query: { fileNames: file.name }, token: stranger });
  expect(await stored()).toEqual(before);
  await app.call({ method: "POST", path: `${attach}/remove`, body: { ids: file.attachId }, token: owner });
  expect(await stored()).toHaveLength(before.length - 2);
  expect((await open(pathOf(file.link))).statusCode).toBe(404);
});

test("a file whose bytes are not stored yet is nowhere to be found", async () => {
  const file = await put(await picture("png"), "a.png");
  await app.test.database.pool.query("update attachments set state = 'pending'");
  expect((await open(pathOf(file.link))).statusCode).toBe(404);
  expect((await app.get(`/api/muyuan-resource/attach/detail?id=${file.attachId}`, owner)).status).toBe(404);
});

test("what was broken off an hour ago and what is over is swept away, and nothing else", async () => {
  const states: Record<string, string> = {
    "kept without an end": "state = 'kept'",
    "kept until tomorrow": "expires_at = now() + interval '1 day'",
    "kept until yesterday": "expires_at = now() - interval '1 day'",
    "being stored": "state = 'pending'",
    "broken off": "state = 'pending', created_at = now() - interval '2 hours'",
  };
  const names: Record<string, string> = {};
  for (const [what, change] of Object.entries(states)) {
    const { attachId, name } = await put(await picture("png"), "a.png");
    names[name] = what;
    await app.test.database.pool.query(`update attachments set ${change} where id = $1`, [attachId]);
  }
  const swept = await fileRepository(app.test.database.kysely).removable(systemScope("a test of the sweep"), 3600);
  expect(swept.map((name) => names[name]).sort()).toEqual(["broken off", "kept until yesterday"]);
});

test("one person uploads 2,000 files a day", async () => {
  const { rows: accounts } = await app.test.database.pool.query("select id from accounts where account = 'farm'");
  for (let count = 0; count < 2000; count += 1) await app.store.count(`budget:uploads:${accounts[0].id}:86400`, 86_400);
  expect((await upload(app, owner, await picture("png"), "more.png")).status).toBe(429);
  await app.pass(86_400);
  owner = await app.logIn("farm");
  await put(await picture("png"), "tomorrow.png");
});

describe("tickets", () => {
  const issue = async (token: string, id: string) => {
    const { status, body, headers } = await app.call({
      method: "POST",
      path: "/api/muyuan-resource/ticket/issue",
      body: { id },
      token,
    });
    const cookie = String(headers["set-cookie"] ?? "");
    const url = new URL((body.data as { url?: string }).url ?? "http://localhost/");
    return { status, cookie, mark: cookie.split(";")[0] ?? "", path: `${url.pathname}${url.search}` };
  };
  const fetchWith = async (path: string, cookie: string) => (await open(path, { cookie })).statusCode;

  test("one opens its file once, in the browser that asked for it", async () => {
    const { attachId } = await put(sheet("xlsx"), "a.xlsx");
    const { path, mark, cookie } = await issue(owner, attachId);
    expect(cookie).toMatch(/Path=\/files; Max-Age=60; HttpOnly; SameSite=Lax$/);
    expect(await fetchWith(path, mark)).toBe(200);
    expect(await fetchWith(path, mark)).toBe(404);
  });

  test("not without the browser's cookie, nor with that of another session, and the try uses it up", async () => {
    const { attachId } = await put(sheet("xlsx"), "a.xlsx");
    const other = await issue(await app.logIn("farm"), attachId);
    for (const cookie of ["", "file_ticket=x", other.mark]) {
      const { path, mark } = await issue(owner, attachId);
      expect(await fetchWith(path, cookie), cookie).toBe(404);
      expect(await fetchWith(path, mark), cookie).toBe(404);
    }
  });

  test("not for another file, not after 60 s, and not after the session ended", async () => {
    const [first, second] = [await put(sheet("xlsx"), "a.xlsx"), await put(sheet("xlsx"), "b.xlsx")];
    const swapped = await issue(owner, first.attachId);
    expect(await fetchWith(swapped.path.replace(pathOf(first.link), pathOf(second.link)), swapped.mark)).toBe(404);
    const late = await issue(owner, first.attachId);
    await app.pass(61);
    expect(await fetchWith(late.path, late.mark)).toBe(404);
    const brief = await app.logIn("farm");
    const orphan = await issue(brief, first.attachId);
    await app.get("/api/muyuan-auth/oauth/logout", brief);
    expect(await fetchWith(orphan.path, orphan.mark)).toBe(404);
  });

  test("nobody gets one for another's file", async () => {
    const { attachId } = await put(sheet("xlsx"), "a.xlsx");
    expect((await issue(stranger, attachId)).status).toBe(404);
  });
});

describe("what is refused leaves nothing", () => {
  const refused = async (content: Buffer, name: string): Promise<string> => {
    const before = await stored();
    const { status, body } = await upload(app, owner, content, name);
    expect(status, body.msg).toBe(400);
    expect([await stored(), await incoming(), await rows()]).toEqual([before, [], []]);
    return body.msg;
  };

  test("too large, empty, another type, no file at all", async () => {
    expect(await refused(Buffer.alloc(5 * 1024 * 1024 + 1), "a.png")).toBe("文件不能超过 5MB");
    expect(await refused(Buffer.alloc(20 * 1024 * 1024 + 1), "a.xlsx")).toBe("文件不能超过 20MB");
    expect(await refused(Buffer.alloc(0), "a.png")).toBe("文件是空的");
    expect(await refused(Buffer.from("x"), "a.exe")).toContain("只能上传");
    // Its head says 20,000 by 20,000 pixels.
    const flood = plainBmp(24, 8, 8);
    flood.writeInt32LE(20_000, 18);
    flood.writeInt32LE(20_000, 22);
    expect(await refused(flood, "a.bmp")).toBe(reasons["upload.too_many_pixels"].zh);
    const answer = await upload(app, owner, await picture("png"), "a.png", { field: "picture" });
    expect([answer.status, answer.body.msg]).toEqual([400, "请上传文件!"]);
  });

  test("a picture that brings the picture library down, and the next one is taken", async () => {
    await put(await picture("png"), "a.png");
    await app.test.database.pool.query("delete from attachments");
    const waiting = workProcesses("picture-process.ts").map(({ pid }) => pid);
    expect(waiting.length).toBeGreaterThan(0);
    for (const pid of waiting) process.kill(pid, "SIGSTOP");
    const answer = refused(await picture("png"), "b.png");
    await expect.poll(incoming).not.toEqual([]);
    for (const pid of waiting) process.kill(pid, "SIGKILL");
    expect(await answer).toBe(reasons["upload.picture_unreadable"].zh);
    await put(await picture("png"), "c.png");
  });

  test("a multipart body without a boundary, or with a broken one, holds no file", async () => {
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary="']) {
      const answer = await app.http.inject({
        method: "POST",
        url: "/api/muyuan-resource/oss/endpoint/put-file-by-name",
        headers: { authorization: basic, "muyuan-auth": `bearer ${owner}`, "content-type": type },
        payload: "--\r\n\r\nx",
      });
      expect([type, answer.statusCode < 500, answer.json().success]).toEqual([type, true, false]);
    }
  });

  test("a body that is no multipart is a 415 here, and a multipart body is one everywhere else", async () => {
    const json = await app.call({
      method: "POST",
      path: "/api/muyuan-resource/oss/endpoint/put-file-attach",
      body: { file: "x" },
      token: owner,
    });
    expect(json.status).toBe(415);
    const { body, type } = await multipartOf(Buffer.from("x"), "a.png");
    const elsewhere = await app.http.inject({
      method: "POST",
      url: "/api/muyuan-resource/attach/remove",
      headers: { authorization: basic, "muyuan-auth": `bearer ${owner}`, "content-type": type },
      payload: body,
    });
    expect(elsewhere.statusCode).toBe(415);
  });

  test("R17: uploads that are broken off", async () => {
    const address = new URL(await app.listen());
    let token = owner;
    const { body, type } = await multipartOf(Buffer.concat([await picture("png"), Buffer.alloc(200_000)]), "a.png");
    const breakOff = (sent: number) =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(Number(address.port), address.hostname, () => {
          socket.write(
            `POST /api/muyuan-resource/oss/endpoint/put-file-attach HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nMuyuan-Auth: bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
          );
          socket.write(body.subarray(0, sent), () => {
            // Until the server has begun to write it down, or half of what comes would never have reached it.
            setTimeout(() => socket.destroy(), sent % 40);
          });
        });
        socket.on("close", () => resolve());
        socket.on("error", reject);
      });
    const before = await stored();
    const count = volume({ short: 50, long: 1000 });
    const cut = (index: number) => breakOff(Math.floor(((index + 1) * body.length) / (count + 1)));
    for (let index = 0; index < count; index += 50) {
      if (index % 250 === 0) token = await app.logIn("farm");
      await Promise.all(Array.from({ length: 50 }, (_, place) => cut(index + place)));
    }
    await vi.waitFor(async () => expect(await incoming()).toEqual([]), { timeout: 10_000 });
    expect([await stored(), await rows()]).toEqual([before, []]);
    expect((await app.call({ path: "/healthz" })).status).toBe(200);
  });
});

test("the name that a sender gives is shown without path, control and direction characters", async () => {
  const names = ["../../etc/a.png", "C:\\temp\\a.png", "a\u0000\n.png", "\u202egnp.exe.png", `${"长".repeat(150)}.png`];
  const shown = [];
  for (const name of names)
    shown.push((await put(await picture("png", 8, 8), "x.png", { fileName: name })).originalName);
  expect(shown.slice(0, 4)).toEqual(["a.png", "a.png", "a.png", "gnp.exe.png"]);
});
