// `npm run site-pictures`: draws what stands for the site elsewhere from its own drawings, into apps/web/public: a picture of each subject
// for whoever shares a page, and the icons of browsers and phones. Run it after a change of a drawing or of the mark.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { articleCovers } from "@herdwise/contract";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { type SolutionName, solutionScene, solutionViewBox } from "../apps/web/app/shared/drawings/solution-scenes.ts";

const web = new URL("../apps/web/", import.meta.url);
const pictures = new URL("public/share/", web);
/** What social networks and messengers ask for, px. */
const [width, height] = [1200, 630];

// scripts/browser.mjs runs without types, for the sake of `npm test` on any Node.
const { findBrowser } = (await import("./browser.mjs" as string)) as {
  findBrowser(): Promise<{ executablePath: string; args: string[] } | undefined>;
};
const found = await findBrowser();
if (found === undefined) throw new Error("no Chromium was found");

const styles = await Promise.all(
  ["shared/design/tokens.css", "shared/design/kit.css", "site/site.css"].map((path) =>
    readFile(new URL(`app/${path}`, web), "utf8"),
  ),
);
const drawing = (name: SolutionName): string =>
  `<svg class="drawing cover" viewBox="${solutionViewBox}">${solutionScene(name)}</svg>`;
const page = (
  inside: string,
  columns: number,
): string => `<!doctype html><html data-theme="light"><style>${styles.join("\n")}
  body { margin: 0; width: ${width}px; height: ${height}px; box-sizing: border-box; padding: 56px; display: grid; gap: 24px;
    grid-template-columns: repeat(${columns}, 1fr); align-items: center; background: var(--page); }
  svg.drawing.cover { width: 100%; height: 100%; max-height: 518px; }
</style><body>${inside}</body></html>`;

const browser = await chromium.launch({ ...found, args: [...found.args, "--no-sandbox", "--disable-gpu"] });
try {
  await mkdir(pictures, { recursive: true });
  const tab = await browser.newPage({ viewport: { width, height } });
  const names = articleCovers.map(([name]) => name);
  const wanted = [...names.map((name) => [name, [name]] as const), ["site", names.slice(0, 6)] as const];
  for (const [file, scenes] of wanted) {
    await tab.setContent(page(scenes.map(drawing).join(""), scenes.length > 1 ? 3 : 1));
    const picture = await sharp(await tab.screenshot())
      .png({ palette: true, colours: 64, effort: 10 })
      .toBuffer();
    await writeFile(new URL(`${file}.png`, pictures), picture);
    console.log(`share/${file}.png: ${picture.length} bytes`);
  }
} finally {
  await browser.close();
}

const mark = await readFile(new URL("public/favicon.svg", web));
const icon = (size: number) =>
  sharp(mark, { density: (72 * size) / 28 })
    .resize(size, size)
    .png({ effort: 10 });
for (const size of [192, 512]) await icon(size).toFile(new URL(`public/icon-${size}.png`, web).pathname);
// Phones cut their own corners: theirs is filled to the edge.
await icon(180).flatten({ background: "#0F3D2E" }).toFile(new URL("public/apple-touch-icon.png", web).pathname);
/** An .ico is a directory of pictures; browsers take PNG in it. */
const small = await icon(32).toBuffer();
const directory = Buffer.alloc(22);
directory.writeUInt16LE(1, 2);
directory.writeUInt16LE(1, 4);
directory.writeUInt8(32, 6);
directory.writeUInt8(32, 7);
directory.writeUInt16LE(1, 10);
directory.writeUInt16LE(32, 12);
directory.writeUInt32LE(small.length, 14);
directory.writeUInt32LE(directory.length, 18);
await writeFile(new URL("public/favicon.ico", web), Buffer.concat([directory, small]));
