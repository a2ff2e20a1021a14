import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogoTheme, PublicSettings } from "@herdwise/contract";
import { logoLeastPx, logoSize } from "@herdwise/contract";
import { nearestReadable, settingDeclarations } from "@herdwise/contract/setting-declarations";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSettingsMemory } from "../../apps/server/src/modules/settings/index.ts";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";

const own = /慧牧|herdwise/i;
const root = join(import.meta.dirname, "..", "..");
const publicPath = "/api/muyuan-system/settings/skip-secure/public";

/** Files that may name the product, each with why. */
const named: Readonly<Record<string, string>> = {
  "apps/server/src/cli/serve.ts": "the console of whoever starts it",
  "apps/server/src/main.ts": "the console of whoever starts it",
  "apps/server/src/config.ts": "the default of the setting",
  "apps/server/src/database/postgres-roles.ts": "a mark in a file of PostgreSQL",
  "apps/server/src/database/seeds/foundation.ts": "the group's own tenant, which staff rename",
  "apps/server/src/modules/accounts/common-passwords.ts": "passwords that are refused",
  "apps/server/src/modules/health/judge.ts": "tells that the default is still there",
  "apps/server/src/providers/webhook/webhook.ts": "the user agent",
  "apps/web/app/shared/session/title.ts": "shown while settings could not be learnt",
  "packages/contract/src/setting-declarations.ts": "the default of the setting",
  "packages/client/src/index.ts": "classes of the package that other programs import",
};

test("no text of the sources names the brand but those that have to", () => {
  const files = globSync(["apps/{server/src,web/app}/**/*.{ts,tsx}", "packages/*/src/**/*.ts"], { cwd: root }).filter(
    (path) => !/\.test\.|seeds\/demo|generated\//.test(path),
  );
  const found = files.filter((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      // Comments are no texts.
      .some((line) => /慧牧|Herdwise/.test(line.replace(/\s*(\/\/|\/?\*).*/, ""))),
  );
  expect(found.toSorted()).toEqual(Object.keys(named).toSorted());
  const english = JSON.parse(readFileSync(join(root, "apps/web/public/i18n/i18n_en.json"), "utf8")) as object;
  expect(
    Object.entries(english)
      .flat()
      .filter((text: string) => own.test(text)),
  ).toEqual([]);
});

describe("another brand", () => {
  let app: TestApp;
  let admin: string;
  beforeAll(async () => {
    expect(existsSync(join(webBuild, "server", "index.js")), "npm run build comes first").toBe(true);
    app = await createTestApp({}, {}, webBuild);
    admin = await app.logIn("admin", "000000");
    const changes = [
      ["brand.name", "牧云"],
      ["brand.nameEn", "Cloudfarm"],
    ].map(([key, value]) => ({ key, value, version: 0 }));
    const path = "/api/muyuan-system/setting/submit";
    expect((await app.call({ method: "POST", path, token: admin, body: { changes } })).status).toBe(200);
  });
  afterAll(() => app.close());

  test.each([
    "/index",
    "/login",
    "/register",
    "/qrcodeLogin",
    "/service/verify",
    "/service/notice",
    "/information",
    "/legal/user",
    "/legal/privacy",
    "/no/such/page",
    "/rss.xml",
    "/rss-en.xml",
    "/barn.webmanifest",
    "/api/docs",
    "/api/openapi.json",
  ])("stands in %s, and the product's own name does not", async (url) => {
    for (const lang of ["zh", "en"]) {
      const { body } = await app.http.inject({ url, headers: { cookie: `langType=${lang}` } });
      // Names of the demo's organizations, whose group is called like the product.
      const said = body.replace(
        /慧牧(集团|农业科技|智联)[\p{Script=Han}]*|Herdwise (Group|Agricultural|Connect)[\w .,]*/gu,
        "",
      );
      expect(
        own.exec(said)?.[0] === undefined ? "" : said.slice(Math.max(0, said.search(own) - 80), said.search(own) + 80),
      ).toBe("");
    }
  });

  test("goes before codes and notices, and into the sender of mails", async () => {
    const phone = "13900007711";
    await app.call({
      method: "POST",
      path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
      query: { mobilePhone: phone, type: "register" },
      headers: await app.captcha(),
    });
    expect((await app.sms(phone))[0]).toMatch(/^【牧云】/);
  });
});

describe("a logo of one's own", () => {
  let app: TestApp;
  let admin: string;
  const path = "/api/muyuan-system/logo/upload";
  const drawn = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: "#1b7a4580" } })
      .png()
      .withExif({ IFD0: { Copyright: "somebody" } })
      .toBuffer();
  const send = async (theme: string, content: Buffer, token = admin, name = "logo.png") =>
    upload(app, token, content, name, { path, query: { theme } });
  const logos = async () => (await app.get<PublicSettings>(publicPath)).body.data.logos;
  beforeAll(async () => {
    app = await createTestApp({}, {}, webBuild);
    admin = await app.logIn("admin", "000000");
  });
  afterAll(() => app.close());

  test("is encoded anew, shown on pages of both themes and as icon, and falls back when it is removed", async () => {
    expect(await logos()).toEqual({ light: "", dark: "", icon: "" });
    const sent = await drawn(1200, 300);
    expect((await send("light", sent)).status).toBe(200);
    const { light, dark, icon } = await logos();
    expect(light).toMatch(/^\/logos\/light-image-[0-9a-f]{16}\.png$/);
    expect(dark).toBe(light);
    const shown = await app.http.inject({ url: light });
    expect(shown.headers["content-type"]).toBe("image/png");
    const { width, height, exif } = await sharp(shown.rawPayload).metadata();
    expect([width, height, exif]).toEqual([384, logoSize.height, undefined]);
    const tab = await sharp((await app.http.inject({ url: icon })).rawPayload).metadata();
    expect([tab.width, tab.height]).toEqual([logoSize.icon, logoSize.icon]);
    const page = async (at: string) => (await app.http.inject({ url: at })).body;
    for (const at of ["/index", "/login"]) {
      expect(await page(at)).toContain(`src="${light}"`);
      expect(await page(at)).toContain(`<link rel="icon" href="${icon}" type="image/png"/>`);
    }
    expect(JSON.parse(await page("/barn.webmanifest"))).toMatchObject({ icons: [{ src: icon }] });
    expect((await send("dark", await drawn(400, 100))).status).toBe(200);
    expect((await logos()).dark).toMatch(/^\/logos\/dark-/);
    const gone = (theme: string) =>
      app.call({ method: "POST", path: "/api/muyuan-system/logo/remove", query: { theme }, token: admin });
    for (const theme of ["light", "dark"]) expect((await gone(theme)).status).toBe(200);
    expect(await logos()).toEqual({ light: "", dark: "", icon: "" });
    expect((await app.http.inject({ url: light })).statusCode).toBe(404);
    expect(await page("/index")).toContain('href="/favicon.svg"');
    const { rows } = await app.test.database.pool.query(
      "select action from audit_entries where changes::text like '%logo%' order by id",
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual(["update", "update", "remove", "remove"]);
  });

  test("is refused where it is none, and where somebody may not change settings", async () => {
    const reasonOf = async (content: Buffer) =>
      ((await send("light", content)).body.data as unknown as { reason: string }).reason;
    expect(await reasonOf(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"))).toBe(
      "upload.picture_unreadable",
    );
    expect(await reasonOf(await drawn(logoLeastPx - 1, 200))).toBe("upload.too_few_pixels");
    expect((await send("light", await drawn(100, 100), await app.logIn("farm"))).status).toBe(403);
    expect((await send("pink", await drawn(100, 100))).status).toBe(400);
    expect(await logos()).toEqual({ light: "", dark: "", icon: "" });
  });
});

test("of two reads that overlap, the one that began later holds", async () => {
  const reads: ((rows: { theme: LogoTheme; hash: string }[]) => void)[] = [];
  const memory = createSettingsMemory({
    config: { variable: () => undefined, mailFrom: undefined } as never,
    repository: {
      stored: async () => [],
      logos: () => new Promise((resolve) => reads.push(resolve)),
    },
    cipher: undefined as never,
    onChanged: () => undefined,
    onUnreadable: () => undefined,
  });
  const [earlier, later] = [memory.refresh(), memory.refresh()];
  reads[1]?.([]);
  await later;
  reads[0]?.([{ theme: "light", hash: "removed since" }]);
  await earlier;
  expect(memory.logo("light")).toBe("");
});

test("a colour that text can't be read in is refused with the nearest that passes", async () => {
  const app = await createTestApp();
  try {
    const token = await app.logIn("admin", "000000");
    const { body } = await app.call({
      method: "POST",
      path: "/api/muyuan-system/setting/submit",
      token,
      body: { changes: [{ key: "brand.colour", value: "#ffee00", version: 0 }] },
    });
    const nearest = nearestReadable("light", "#ffee00");
    expect((body.data as { problems: unknown[] }).problems).toMatchObject([
      { field: "brand.colour", reason: "setting.contrast", values: { nearest } },
    ]);
    expect(body.msg).toContain(nearest);
    const own = settingDeclarations["brand.colour"].fallback;
    expect(nearestReadable("light", own)).toBe(own);
  } finally {
    await app.close();
  }
});
