// `npm run bench:pages`: how soon pages are there on a phone and what they weigh, on the production build as `npm start` serves it,
// beside a bare page that asks for the same values, both in this run. Ends with 1 when a bound is broken. `--release <commit>` checks
// an earlier version out, builds it, and loads its pages in turn with these (`--only <text>`: pages whose address holds the text).
// The phone is a 4 times slower processor, 1.6 Mbit/s and 150 ms to the server. Medians, since a busy machine spreads them.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { type Device, devicePage, kindOverview, publicArticlePage, tokenHeader } from "@herdwise/contract";
import { chromium } from "playwright-core";
import { openRelease } from "../tests/faults/release.ts";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { goodUnit } from "../tests/harness/good-unit.ts";
import { gzipBytesOf, loadPage, type PageLoad, type Viewer } from "../tests/harness/page-load.ts";
import { basic, sessionOfDemo } from "../tests/harness/session.ts";
import { goal } from "./goals.ts";

const { values: flags } = parseArgs({
  options: {
    runs: { type: "string", default: "7" },
    release: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const runs = Number(flags.runs);

/** Of the public site. */
const siteLimits = { lcpLimitMs: 900, clsLimit: 0.02, scriptLimit: 40_000 };

/** Of the centre: what takes the place of the first values moves nothing that somebody reads. */
const centreLimits = { lcpLimitMs: 1800, clsLimit: 0.05 };
/** When the first figures, their first verdict and the first chart are to be there, ms. */
const drawnLimitsMs = [1800, 2200, 2800] as const;

type Drawn = readonly [values: string, judged: string, ...chart: string[]];

/** A page, and what is looked for on it. */
interface BenchPage {
  path: string;
  /** What shows that the page is complete. */
  settled: string;
  /** Bound of the largest paint, ms. */
  lcpLimitMs?: number;
  clsLimit?: number;
  /** Most gzip bytes of scripts. */
  scriptLimit?: number;
  /** What is on it only with values: the values themselves, what the screen makes of them, and their chart. */
  drawn?: Drawn;
  /** The same on pages of release 0.2.0, where it is called otherwise. */
  before?: { settled?: string; drawn: Drawn };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
const milliseconds = (ms: number): string => (ms === 0 ? "-" : `${Math.round(ms)} ms`).padStart(8);
const ratio = (share: number): string => (Number.isFinite(share) ? share.toFixed(2) : "-").padStart(7);

// scripts/browser.mjs runs without types, for the sake of `npm test` on any Node.
const { findBrowser } = (await import("../scripts/browser.mjs" as string)) as {
  findBrowser(): Promise<{ executablePath: string; args: string[] } | undefined>;
};

const found = await findBrowser();
if (found === undefined) throw new Error("no Chromium was found");
const browser = await chromium.launch({ ...found, args: [...found.args, "--no-sandbox", "--disable-gpu"] });
const environment = new URLSearchParams({ kind: "environment" });
const overviewPath = `${kindOverview.path}?${environment}`;

/** A running version with demo data. */
interface Place {
  readonly address: string;
  /** Of the farms' owner, as the browser keeps it. */
  readonly session: Record<string, string>;
  readonly pages: readonly BenchPage[];
  ask(path: string): Promise<string>;
  /** Every controller of the farms tells its values; one is far too hot, so that there is something to look at. */
  report(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a version and names its pages, whose ids are its own. @param checkout of the version; this one by default */
async function openPlace(checkout?: string): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
  const server = await startServerProcess(
    { DATA_DIR: directory, NODE_ENV: "production" },
    checkout === undefined ? {} : { checkout },
  );
  const address = `http://127.0.0.1:${server.httpPort}`;
  const session = await sessionOfDemo(address, "farm");
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(address + path, {
      headers: { Authorization: basic, [tokenHeader]: `bearer ${session.token}` },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  const devices = (
    JSON.parse(await ask(`${devicePage.path}?current=1&size=100&${environment}`)) as { data: { records: Device[] } }
  ).data.records;
  const { data: newest } = JSON.parse(await ask(`${publicArticlePage.path}?channel=information&size=1`)) as {
    data: { records: { id: string }[] };
  };
  const pages: BenchPage[] = [
    { path: "/index", settled: "h1", ...siteLimits },
    { path: "/solution/ammoniaDeodorization", settled: ".solution-acts", ...siteLimits },
    { path: `/informationDetails?id=${newest.records[0]?.id}`, settled: ".prose h2", ...siteLimits },
    { path: "/login", settled: "#account", lcpLimitMs: 900 },
    { path: "/register", settled: "#username" },
    {
      path: "/selfCenter/home",
      settled: ".farm-rows li",
      ...centreLimits,
      drawn: [".first-values .value", ".console-lead .att .tag"],
      before: { drawn: [".first-values .value", ".console-lead .att li b"] },
    },
    {
      path: "/selfCenter/vet/environment/overview",
      settled: "a.tile",
      ...centreLimits,
      drawn: [".first-values .value", ".tile:not(.silent) .state"],
      before: { drawn: [".first-values .value", "a.tile:not(.silent) .value"] },
    },
    {
      path: `/selfCenter/vet/environment/unit?id=${devices.find(({ unitId }, at) => at > 0 && unitId !== "")?.unitId}`,
      settled: "#tab-panel .chart svg",
      drawn: [".first-figures .value > div", ".first-figures .row .state", ".first-figures svg"],
      before: {
        settled: ".vitals .figure",
        drawn: [".vitals .value > div", ".vitals .row .state", ".vitals .value svg"],
      },
    },
  ];
  return {
    address,
    session,
    pages,
    ask,
    async report() {
      await Promise.all(
        devices.map(async ({ serialNumber }, at) => {
          const answer = await fetch(`${address}/api/v1/demo-${serialNumber}/telemetry`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(at === 0 ? { ...goodUnit, t_in: 36.5 } : goodUnit),
          });
          if (!answer.ok) throw new Error(`${serialNumber} could not report: ${answer.status}`);
        }),
      );
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Medians of loads, ms. */
interface Times {
  fcpMs: number;
  lcpMs: number;
  valuesMs: number;
  judgedMs: number;
  chartMs: number;
}

const timesOf = (loads: readonly PageLoad[]): Times => {
  const drawnMs = (at: number): number => median(loads.map((load) => load.drawnMs[at] ?? 0));
  return {
    fcpMs: median(loads.map((load) => load.fcpMs)),
    lcpMs: median(loads.map((load) => load.lcpMs)),
    valuesMs: drawnMs(0),
    judgedMs: drawnMs(1),
    chartMs: drawnMs(2),
  };
};

const place = await openPlace();
const release = flags.release === undefined ? undefined : await openRelease(flags.release, ["build"]);
const former = release && (await openPlace(release.checkout));
await place.report();
const overview = brotliCompressSync(await place.ask(overviewPath));
/** The least that a page can be which shows these values: one document and one answer, drawn with one line of script. */
const barePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bare</title>
<script>fetch("/values").then((a) => a.json()).then(({ data }) => { document.querySelector("p").className = "told";
document.querySelector("p").textContent = data[0].houses[0].units[0].readings.t_in.value; })</script>
<h1>The least that a page can be</h1><p></p>`;
const bare = createServer((request, answer) => {
  if (request.url === "/values")
    answer.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "br" }).end(overview);
  else answer.writeHead(200, { "Content-Type": "text/html" }).end(barePage);
});
await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));

const broken: string[] = [];
try {
  console.log(`medians of ${runs} runs on a phone; bytes on the wire, scripts also as gzip`);
  const bareAddress = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const floors: PageLoad[] = [];
  for (let run = 0; run < runs; run++)
    floors.push(await loadPage(browser, bareAddress, "p.told", { language: "en", phone: true }, ["p.told"]));
  const floor = {
    lcpMs: median(floors.map(({ lcpMs }) => lcpMs)),
    valuesMs: median(floors.map(({ drawnMs: [told = 0] }) => told)),
  };
  console.log(
    `a bare page: largest paint after ${Math.round(floor.lcpMs)} ms, values after ${Math.round(floor.valuesMs)} ms`,
  );
  console.log("LCP/limit: at most 1. bare/...: the share of the page's time that the bare one takes; 1 is the best.");
  console.log("values: the first of them can be read; judged: so can what the screen makes of them.");
  console.log(
    "page                                  lang      CLS      FCP      LCP  slowest  LCP/limit bare/LCP   values bare/values  judged bare/judged    chart   scripts      gzip    styles  document",
  );
  for (const [at, page] of place.pages.entries()) {
    const { path, settled, lcpLimitMs = Number.NaN, clsLimit = Number.NaN, scriptLimit = Number.NaN, drawn } = page;
    if (!path.includes(flags.only)) continue;
    const then = former?.pages[at];
    for (const language of ["zh", "en"] as const) {
      await place.report();
      await former?.report();
      const viewer = (of: Place): Viewer => ({ language, phone: true, storage: drawn === undefined ? {} : of.session });
      const loads: PageLoad[] = [];
      const formerLoads: PageLoad[] = [];
      for (let run = 0; run < runs; run++) {
        loads.push(await loadPage(browser, place.address + path, settled, viewer(place), drawn));
        if (former && then)
          formerLoads.push(
            await loadPage(
              browser,
              former.address + then.path,
              then.before?.settled ?? then.settled,
              viewer(former),
              then.before?.drawn ?? then.drawn,
            ),
          );
      }
      const [first] = loads as [PageLoad, ...PageLoad[]];
      const wire = (type: string): number =>
        first.fetched.filter((file) => file.type === type).reduce((sum, { bytes }) => sum + bytes, 0);
      const { fcpMs, lcpMs, valuesMs, judgedMs, chartMs } = timesOf(loads);
      for (const [at, ms] of [valuesMs, judgedMs, chartMs].entries()) {
        const limitMs = drawnLimitsMs[at] ?? 0;
        const what = ["first figures", "first verdict", "first chart"][at];
        if (drawn !== undefined && ms > 0)
          goal({
            name: `${what} of ${path}, ${language}`,
            measured: ms,
            unit: "ms",
            limit: limitMs,
            ceiling: { what: "a bare page", measured: floor.valuesMs },
          });
        if (ms > limitMs) broken.push(`${path} ${language}: ${what} after ${Math.round(ms)} ms of ${limitMs} ms`);
      }
      if (!Number.isNaN(lcpLimitMs))
        goal({
          name: `largest paint of ${path}, ${language}`,
          measured: lcpMs,
          unit: "ms",
          limit: lcpLimitMs,
          ceiling: { what: "a bare page", measured: floor.lcpMs },
        });
      if (lcpMs > lcpLimitMs) broken.push(`${path} ${language}: LCP ${Math.round(lcpMs)} ms of ${lcpLimitMs} ms`);
      const cls = Math.max(...loads.map((load) => load.cls));
      if (cls > clsLimit) broken.push(`${path} ${language}: CLS ${cls.toFixed(3)} of ${clsLimit}`);
      const scriptBytes = await gzipBytesOf(first, "Script");
      if (scriptBytes > scriptLimit) broken.push(`${path} ${language}: ${scriptBytes} bytes of scripts`);
      console.log(
        path.padEnd(38) + language.padEnd(4),
        cls.toFixed(3).padStart(8),
        milliseconds(fcpMs),
        milliseconds(lcpMs),
        milliseconds(Math.max(...loads.map((load) => load.lcpMs))),
        ratio(lcpMs / lcpLimitMs).padStart(10),
        ratio(floor.lcpMs / lcpMs).padStart(8),
        milliseconds(valuesMs),
        ratio(floor.valuesMs / valuesMs).padStart(11),
        milliseconds(judgedMs),
        ratio(floor.valuesMs / judgedMs).padStart(11),
        milliseconds(chartMs),
        kilobytes(wire("Script")),
        kilobytes(scriptBytes),
        kilobytes(wire("Stylesheet")),
        kilobytes(wire("Document")),
        ` ${first.lcpElement}`,
      );
      if (formerLoads.length === 0) continue;
      const earlier = timesOf(formerLoads);
      const named = [
        ["largest paint", lcpMs, earlier.lcpMs],
        ["values", valuesMs, earlier.valuesMs],
        ["judged", judgedMs, earlier.judgedMs],
        ["chart", chartMs, earlier.chartMs],
      ] as const;
      console.log(
        `  ${flags.release}:`.padEnd(24),
        named
          .filter(([, , ms]) => ms > 0)
          .map(
            ([what, ms, earlierMs]) => `${what} ${Math.round(earlierMs)} ms (now ${(ms / earlierMs).toFixed(2)} of it)`,
          )
          .join(", "),
      );
    }
  }
  for (const bound of broken) console.log(`  BROKEN: ${bound}`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  bare.close();
  await place.close();
  await former?.close();
  await release?.remove();
}
