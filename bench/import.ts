// `npm run bench:import`: an import of 50,000 rows of which 500 are bad, through the API of a server of its own process: what the
// check finds, what it costs in time and memory, and what other requests feel of it. Ends with 1 when a bound is broken.

import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { utils, write } from "@e965/xlsx";
import type { Import, ImportRow, Job, Page, UploadedFile } from "@herdwise/contract";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { basic, tokenOfDemo } from "../tests/harness/session.ts";
import { multipartOf } from "../tests/harness/upload.ts";
import { goal } from "./goals.ts";

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "50000" },
    bad: { type: "string", default: "500" },
    rounds: { type: "string", default: "3" },
  },
});
const rowCount = Number(flags.rows);
const badCount = Number(flags.bad);
const rounds = Number(flags.rounds);
/** Bounds of the acceptance: memory of the server with its threads, and how much slower others may get. */
const bounds = { memoryMb: 500, slower: 2 };
/** Between requests of the other users, ms: as many as one session may send. */
const pauseMs = 20;
const idleMs = 5000;

const base = "/api/muyuan-trade/slaughterhouse";
/** What others do meanwhile: a list, a menu, a list of another module. */
const others = [`${base}/page?size=20`, "/api/muyuan-system/menu/routes", "/api/muyuan-iot/device/page?size=20"];
/** A wrong cell for each bad row, in turn, and the field that must be told. */
const mistakes = [
  { header: "联系电话", text: "12", told: "contactPhone field.phone" },
  { header: "状态", text: "正常", told: "status field.choice" },
  { header: "日屠宰量", text: "很多", told: "dailyCapacity field.number" },
  { header: "屠宰场名称", text: "", told: "houseName field.required" },
  { header: "所在地区", text: "南阳", told: "regionCode field.region" },
] as const;
/** Rows with a mistake, by their place. */
const mistakeAt = (at: number) => {
  const every = Math.floor(rowCount / badCount);
  return at % every === 7 && Math.floor(at / every) < badCount
    ? mistakes[Math.floor(at / every) % mistakes.length]
    : undefined;
};

const percentile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const directory = mkdtempSync(join(tmpdir(), "herdwise-bench-"));
const server = await startServerProcess({ DATA_DIR: join(directory, "data"), NODE_ENV: "production" });
const broken: string[] = [];
const hold = (holds: boolean, what: string): void => {
  if (!holds) broken.push(what);
};
try {
  const address = `http://127.0.0.1:${server.httpPort}`;
  const session = async (): Promise<Record<string, string>> => ({
    Authorization: basic,
    "Muyuan-Auth": `bearer ${(await tokenOfDemo(address, "admin")).access_token}`,
  });
  const [admin, user] = [await session(), await session()];
  const dataOf = async <T>(answer: Response): Promise<T> => {
    const body = (await answer.json()) as { data: T; msg: string };
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${body.msg}`);
    return body.data;
  };
  const get = async <T>(path: string) => dataOf<T>(await fetch(address + path, { headers: admin }));
  const post = async <T>(path: string, body: object) =>
    dataOf<T>(
      await fetch(address + path, {
        method: "POST",
        headers: { ...admin, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const stored = async (): Promise<number> => (await get<Page<unknown>>(`${base}/page`)).total;

  /** Memory of the process, from the time of `resetPeak` on, MB. */
  const peakMb = async (): Promise<number> => {
    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  };
  const resetPeak = () => writeFile(`/proc/${server.pid}/clear_refs`, "5");

  /** Times of requests while `work` is under way, ms. */
  const meanwhile = async (work: Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    let ended = false;
    const watched = work.finally(() => {
      ended = true;
    });
    for (let at = 0; !ended; at += 1) {
      const begun = performance.now();
      const answer = await fetch(address + others[at % others.length], { headers: user });
      await answer.arrayBuffer();
      times.push(performance.now() - begun);
      if (!answer.ok) throw new Error(`another request was answered ${answer.status}`);
      await pause(pauseMs);
    }
    await watched;
    return times;
  };
  const until = async (id: string, from: string): Promise<Import> => {
    for (;;) {
      const now = await get<Import>(`${base}/import/detail?id=${id}`);
      if (now.state !== from) return now;
      await pause(500);
    }
  };

  /** Follows the live stream of jobs as a page does. */
  const told = new Map<string, Set<number>>();
  const stream = new AbortController();
  const live = await fetch(`${address}/api/muyuan-system/job/live`, { headers: admin, signal: stream.signal });
  const following = (async () => {
    let rest = "";
    for await (const text of (live.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data === undefined) continue;
        const { id, done } = JSON.parse(data) as Job;
        told.set(id, (told.get(id) ?? new Set()).add(done));
      }
    }
  })().catch(() => undefined);

  const headers = ["编号", "屠宰场名称", "所在地区", "详细地址", "联系人", "联系电话", "日屠宰量", "状态", "备注"];
  const lines = Array.from({ length: rowCount }, (_, at) => {
    const cells: Record<string, string> = {
      编号: `BENCH-${at}`,
      屠宰场名称: `屠宰场 ${at}`,
      所在地区: "411325",
      详细地址: `工业路 ${at} 号`,
      联系人: "王强",
      联系电话: `138${String(at).padStart(8, "0")}`,
      日屠宰量: String(at % 5000),
      状态: "启用",
      备注: "年度合作，按周结算",
    };
    const mistake = mistakeAt(at);
    if (mistake) cells[mistake.header] = mistake.text;
    return headers.map((header) => cells[header]);
  });
  // As Excel writes it: texts in a table of their own.
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([headers, ...lines]), "屠宰场");
  const bytes: Buffer = write(book, { type: "buffer", bookType: "xlsx", bookSST: true, compression: true });

  const figures = { check: [] as number[], write: [] as number[], undo: [] as number[] };
  const p95 = { idle: [] as number[], check: [] as number[], write: [] as number[], undo: [] as number[] };
  let problems = 0;
  let steps = Number.POSITIVE_INFINITY;
  const before = await stored();
  // The first requests compile what later ones use.
  await meanwhile(pause(2000));
  const memory = { idle: 0, check: 0, write: 0, undo: 0 };
  for (let round = 0; round < rounds; round += 1) {
    await resetPeak();
    p95.idle.push(percentile(await meanwhile(pause(idleMs)), 0.95));
    memory.idle = Math.max(memory.idle, await peakMb());
    const { body, type } = await multipartOf(bytes, "rows.xlsx");
    const sent = await fetch(`${address}/api/muyuan-resource/oss/endpoint/put-file-attach`, {
      method: "POST",
      headers: { ...admin, "Content-Type": type },
      body: new Uint8Array(body),
    });
    const { attachId } = await dataOf<UploadedFile>(sent);
    const timed = async (name: keyof typeof figures, work: () => Promise<unknown>) => {
      await resetPeak();
      const begun = performance.now();
      const times = await meanwhile(
        work().then(() => {
          figures[name].push(performance.now() - begun);
        }),
      );
      memory[name] = Math.max(memory[name], await peakMb());
      p95[name].push(percentile(times, 0.95));
    };
    let held: Import | undefined;
    const jobs: string[] = [];
    await timed("check", async () => {
      held = await post<Import>(`${base}/import/begin`, { attachId });
      jobs.push(held.jobId);
      held = await until(held.id, "checking");
    });
    const { id, rows, bad, state } = held as unknown as Import;
    hold(state === "checked" && rows === rowCount && bad === badCount, `${rows} rows were read, ${bad} of them bad`);
    hold((await stored()) === before, "the check stored rows");
    const expected = Array.from({ length: rowCount }, (_, at) => [at + 2, mistakeAt(at)?.told] as const).filter(
      ([, mistake]) => mistake !== undefined,
    );
    const found: (readonly [number, string])[] = [];
    for (let current = 1; found.length < expected.length; current += 1) {
      const { records } = await get<Page<ImportRow>>(`${base}/import/rows?id=${id}&size=500&current=${current}`);
      if (records.length === 0) break;
      for (const row of records)
        found.push([row.rowNumber, row.problems.map(({ field, reason }) => `${field} ${reason}`).join()]);
    }
    problems = found.length;
    hold(JSON.stringify(found) === JSON.stringify(expected), "the problems are not those of the bad rows and fields");
    await timed("write", async () => {
      jobs.push((await post<Import>(`${base}/import/write`, { id, mode: "good" })).jobId);
      held = await until(id, "writing");
    });
    const written = held as unknown as Import;
    hold(written.state === "written" && written.written === rowCount - badCount, `${written.written} rows are written`);
    hold((await stored()) === before + rowCount - badCount, "not exactly the good rows are stored");
    await timed("undo", () => post(`${base}/import/undo`, { id }));
    hold((await stored()) === before, "the undoing left rows");
    for (const job of jobs) steps = Math.min(steps, told.get(job)?.size ?? 0);
  }
  stream.abort();
  await following;

  const idle = median(p95.idle);
  const factor = (name: keyof typeof figures): number => median(p95[name]) / idle;
  const mostMb = Math.max(...Object.values(memory));
  goal({ name: `memory while ${rowCount} rows are imported`, measured: mostMb, unit: "MB", limit: bounds.memoryMb });
  for (const name of ["check", "write", "undo"] as const)
    goal({
      name: `other requests during the ${name} of ${rowCount} rows, p95`,
      measured: median(p95[name]),
      unit: "ms",
      limit: idle * bounds.slower,
      ceiling: { what: "idle", measured: idle },
    });
  hold(mostMb <= bounds.memoryMb, `the server took ${mostMb.toFixed(0)} MB`);
  hold(steps >= 3, `a job told how far it is ${steps} times only`);
  for (const name of ["check", "write", "undo"] as const)
    hold(
      factor(name) <= bounds.slower,
      `during the ${name} other requests were ${factor(name).toFixed(1)} times as slow`,
    );

  console.log(
    `\n${rowCount} rows, ${badCount} bad, a sheet of ${(bytes.length / 1e6).toFixed(1)} MB; medians of ${rounds} rounds`,
  );
  console.log(`embedded PostgreSQL, ${cpus().length} cores shared with this program; Node ${process.versions.node}\n`);
  console.log(
    `  other requests, idle                        p95 ${idle.toFixed(1).padStart(7)} ms               ${memory.idle.toFixed(0)} MB`,
  );
  for (const name of ["check", "write", "undo"] as const)
    console.log(
      `  ${name.padEnd(8)} ${seconds(median(figures[name])).padStart(8)}   other requests   p95 ${median(p95[name]).toFixed(1).padStart(7)} ms, ${factor(name).toFixed(2)} times   ${memory[name].toFixed(0)} MB`,
    );
  console.log(`  problems told by row and field              ${problems}`);
  console.log(`  progress told, times a job                  ${steps} at least`);
  console.log(broken.length === 0 ? "\n  every bound is held\n" : `\n  BROKEN: ${broken.join("; ")}\n`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
