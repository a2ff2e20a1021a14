/* Measures what a browser loads for a page: gzip bytes of all scripts and styles, and what the server renders.
   Usage: node dev/page-weight.ts <origin> <path>…; needs /usr/bin/chromium. */
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const [origin = "http://localhost:4173", ...paths] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
for (const path of paths) {
  const context = await browser.newContext();
  if (path.startsWith("/selfCenter")) {
    await context.addInitScript(() => {
      for (const [key, value] of Object.entries({
        token: "mock-access",
        refresh_token: "r",
        tenant_id: "100001",
        auth_time: String(Date.now()),
      })) {
        localStorage.setItem(key, value);
      }
    });
  }
  const page = await context.newPage();
  const sizes = { script: 0, stylesheet: 0, document: 0 };
  const pending: Promise<void>[] = [];
  page.on("response", (response) => {
    const kind = response.request().resourceType();
    if (kind !== "script" && kind !== "stylesheet" && kind !== "document") return;
    pending.push(
      response.body().then(
        (body) => {
          sizes[kind] += gzipSync(body, { level: 9 }).length;
        },
        () => undefined,
      ),
    );
  });
  await page.goto(origin + path, { waitUntil: "networkidle", timeout: 8000 }).catch(() => undefined);
  await Promise.all(pending);
  process.stdout.write(
    `${path}: JS ${kilobytes(sizes.script)}, CSS ${kilobytes(sizes.stylesheet)}, HTML ${kilobytes(sizes.document)} (gzip)\n`,
  );
  await context.close();
}
await browser.close();
