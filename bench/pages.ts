// `npm run bench:pages`: how soon pages are there and what they weigh, on the production build as `npm start` serves it.
// The phone is a 4 times slower processor, 1.6 Mbit/s and 150 ms to the server. Medians, since a busy machine spreads them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { gzipBytesOf, loadPage, type PageLoad, type Viewer } from "../tests/harness/page-load.ts";
import { sessionOfDemo } from "../tests/harness/session.ts";

const { values: flags } = parseArgs({ options: { runs: { type: "string", default: "7" } } });
const runs = Number(flags.runs);

/** Pages, what shows that they are complete, and whether they need a session. */
const pages = [
  { path: "/index", settled: "h1", signedIn: false },
  { path: "/login", settled: "#account", signedIn: false },
  { path: "/register", settled: "#username", signedIn: false },
  { path: "/selfCenter/home", settled: ".farm-rows li", signedIn: true },
  { path: "/selfCenter/vet/environment/overview", settled: "a.tile", signedIn: true },
] as const;

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
const milliseconds = (ms: number): string => `${Math.round(ms)} ms`.padStart(8);

// scripts/browser.mjs runs without types, for the sake of `npm test` on any Node.
const { findBrowser } = (await import("../scripts/browser.mjs" as string)) as {
  findBrowser(): Promise<{ executablePath: string; args: string[] } | undefined>;
};
const found = await findBrowser();
if (found === undefined) throw new Error("no Chromium was found");
const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
const server = await startServerProcess({ DATA_DIR: directory, NODE_ENV: "production" });
const browser = await chromium.launch({ ...found, args: [...found.args, "--no-sandbox", "--disable-gpu"] });
try {
  const address = `http://127.0.0.1:${server.httpPort}`;
  console.log(`medians of ${runs} runs on a phone; bytes on the wire, scripts also as gzip`);
  console.log(
    "page                                  lang      FCP      LCP  slowest   scripts      gzip    styles  document",
  );
  for (const { path, settled, signedIn } of pages) {
    for (const language of ["zh", "en"] as const) {
      const storage = signedIn ? await sessionOfDemo(address, "farm") : {};
      const viewer: Viewer = { language, phone: true, storage };
      const loads: PageLoad[] = [];
      for (let run = 0; run < runs; run++) loads.push(await loadPage(browser, address + path, settled, viewer));
      const [first] = loads as [PageLoad, ...PageLoad[]];
      const wire = (type: string): number =>
        first.fetched.filter((file) => file.type === type).reduce((sum, { bytes }) => sum + bytes, 0);
      console.log(
        path.padEnd(38) + language.padEnd(4),
        milliseconds(median(loads.map(({ fcpMs }) => fcpMs))),
        milliseconds(median(loads.map(({ lcpMs }) => lcpMs))),
        milliseconds(Math.max(...loads.map(({ lcpMs }) => lcpMs))),
        kilobytes(wire("Script")),
        kilobytes(await gzipBytesOf(first, "Script")),
        kilobytes(wire("Stylesheet")),
        kilobytes(wire("Document")),
        ` ${first.lcpElement}`,
      );
    }
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
