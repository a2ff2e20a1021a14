// `npm run pictures`: takes the pictures of the README from the demo, in light and dark, into docs/pictures. Run it after a change
// of a screen that is in one of them.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { sessionOfDemo } from "../tests/harness/session.ts";
import { type ReadmePicture, readmePictures } from "./readme-pictures.ts";

/** The simulator fills the past of the demo's devices within this time. */
const historyMs = 120_000;
/** What a page needs for its values, names and charts. */
const settleMs = 3000;
const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

// scripts/browser.mjs runs without types, for the sake of `npm test` on any Node.
const { findBrowser } = (await import("./browser.mjs" as string)) as {
  findBrowser(): Promise<{ executablePath: string; args: string[] } | undefined>;
};
const found = await findBrowser();
if (found === undefined) throw new Error("no Chromium was found");
const directory = await mkdtemp(join(tmpdir(), "herdwise-pictures-"));
const server = await startServerProcess({ DATA_DIR: directory, NODE_ENV: "production", SIMULATOR: "on" });
const browser = await chromium.launch({ ...found, args: [...found.args, "--no-sandbox", "--disable-gpu"] });
const address = `http://127.0.0.1:${server.httpPort}`;

async function open(picture: ReadmePicture, colorScheme: "light" | "dark"): Promise<Page> {
  const { width, height, path, signedIn } = picture;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: width < 500 ? 2 : 1,
  });
  await context.addCookies([{ name: "langType", value: "en", url: address }]);
  const items = { langType: "en", ...(signedIn ? await sessionOfDemo(address, "farm") : {}) };
  await context.addInitScript((kept) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  }, items);
  const page = await context.newPage();
  await page.goto(address + path);
  if (picture.follow !== undefined) await page.locator(picture.follow).first().click();
  if (picture.shows !== undefined) await page.locator(picture.shows).first().waitFor();
  await page.waitForTimeout(settleMs);
  return page;
}

try {
  await mkdir(folder, { recursive: true });
  console.log(`waiting ${historyMs / 1000} s for the simulator's history`);
  await new Promise((resolve) => setTimeout(resolve, historyMs));
  for (const picture of readmePictures) {
    for (const scheme of ["light", "dark"] as const) {
      const page = await open(picture, scheme);
      const file = `${picture.name}-${scheme}.webp`;
      const image = await sharp(await page.screenshot())
        .webp({ quality: 88 })
        .toBuffer();
      await writeFile(join(folder, file), image);
      console.log(`${file}  ${Math.round(image.length / 1000)} kB`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
