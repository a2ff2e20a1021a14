// `npm run bench:user-import`: an import of 50,000 users of which 500 are bad, by the calls of the screen on a server of its own
// process: what the check finds, what check and write cost in time and memory beside a COPY of the same rows, what other requests
// feel of it, and that a second import adds nothing. Ends with 1 when a bound is broken.

import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { utils, write } from "@e965/xlsx";
import type { Import, ImportRow, Job, Page, UploadedFile } from "@herdwise/contract";
import pg from "pg";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { onServer } from "../tests/harness/database.ts";
import { basic, tokenOfDemo } from "../tests/harness/session.ts";
import { multipartOf } from "../tests/harness/upload.ts";
import { postgresPid, processorUs } from "./processor.ts";

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "50000" },
    bad: { type: "string", default: "500" },
    format: { type: "string", default: "xlsx" },
  },
});
const rowCount = Number(flags.rows);
const badCount = Number(flags.bad);
const format = flags.format === "xls" ? "xls" : "xlsx";
/** Bounds of the acceptance: reading, checking and writing together, memory of the server with its threads, and how much slower others may get. */
const bounds = { seconds: 30, memoryMb: 500, slower: 2 };
/** Between requests of the other user, ms: as many as one session may send. */
const pauseMs = 20;
const idleMs = 8000;

const base = "/api/muyuan-system/user";
/** What others do meanwhile. */
const others = [`${base}/page?size=20`, "/api/muyuan-system/menu/routes", "/api/muyuan-iot/device/page?size=20"];
/** A wrong cell for each bad row, in turn, and the field that must be told. */
const mistakes = [
  { header: "手机", text: "12", told: "phone field.mobile" },
  { header: "角色名称", text: "没有的角色", told: "roleName field.choice" },
  { header: "邮箱", text: "不是邮箱", told: "email field.email" },
  { header: "账户", text: "", told: "account field.required" },
  { header: "部门名称", text: "没有的部门", told: "deptName field.choice" },
] as const;
const mistakeAt = (at: number) => {
  const every = Math.floor(rowCount / badCount);
  return at % every === 7 && Math.floor(at / every) < badCount
    ? mistakes[Math.floor(at / every) % mistakes.length]
    : undefined;
};
const p95Of = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const directory = mkdtempSync(join(tmpdir(), "herdwise-bench-"));
const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), log: silentLog });
const name = `herdwise_bench_${process.pid}`;
await onServer(postgres.superuserUrl("postgres"), (client) => client.query(`create database ${name}`));
const server = await startServerProcess({
  DATA_DIR: join(directory, "data"),
  DATABASE_URL: postgres.superuserUrl(name),
  NODE_ENV: "production",
});
const database = new pg.Client(postgres.superuserUrl(name));
await database.connect();
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
  const members = async (): Promise<number> =>
    Number((await database.query("select count(*) from memberships")).rows[0].count);
  const peakMb = async (): Promise<number> =>
    Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
  const resetPeak = () => writeFile(`/proc/${server.pid}/clear_refs`, "5");

  /** Times of another user's requests while `work` is under way, ms. */
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
      await pause(700);
    }
  };
  const jobEnd = async (id: string): Promise<Job> => {
    for (;;) {
      const job = await get<Job>(`/api/muyuan-system/job/detail?id=${id}`);
      if (job.state !== "queued" && job.state !== "running") return job;
      await pause(250);
    }
  };

  const [place] = (
    await database.query(
      "select d.dept_name, p.post_name from departments d, posts p where d.tenant_id = '000000' and p.tenant_id = '000000' order by d.id, p.id limit 1",
    )
  ).rows;
  const headers = [
    "租户编号",
    "用户平台名称",
    "账户",
    "昵称",
    "姓名",
    "邮箱",
    "手机",
    "角色名称",
    "部门名称",
    "岗位名称",
    "生日",
  ];
  const lines = Array.from({ length: rowCount }, (_, at) => {
    const cells: Record<string, string> = {
      用户平台名称: ["WEB", "APP", "OTHER"][at % 3] ?? "",
      账户: `bench-${at}`,
      昵称: `用户 ${at}`,
      姓名: "王强",
      邮箱: `bench-${at}@example.cn`,
      手机: `138${String(at).padStart(8, "0")}`,
      角色名称: "客服",
      部门名称: place?.dept_name ?? "",
      岗位名称: place?.post_name ?? "",
      生日: "1990-05-01",
    };
    const mistake = mistakeAt(at);
    if (mistake) cells[mistake.header] = mistake.text;
    return headers.map((header) => cells[header]);
  });
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([headers, ...lines]), "用户数据表");
  const bytes: Buffer = write(book, {
    type: "buffer",
    bookType: format === "xls" ? "biff8" : "xlsx",
    bookSST: true,
    compression: true,
  });
  const upload = async (): Promise<string> => {
    const { body, type } = await multipartOf(bytes, `rows.${format}`);
    const sent = await fetch(`${address}/api/muyuan-resource/oss/endpoint/put-file-attach`, {
      method: "POST",
      headers: { ...admin, "Content-Type": type },
      body: new Uint8Array(body),
    });
    return (await dataOf<UploadedFile>(sent)).attachId;
  };

  const before = await members();
  // The first requests compile what later ones use.
  await meanwhile(pause(2000));
  const cluster = await postgresPid(join(directory, "postgres"));
  /** Processor time of the server and of PostgreSQL, ms: on a busy machine it says more than the duration. */
  const work = async (): Promise<number> => ((await processorUs(server.pid)) + (await processorUs(cluster))) / 1000;
  await resetPeak();
  const figures: { name: string; ms: number; work: number; p95: number; mb: number }[] = [];
  const timed = async (name: string, act: () => Promise<unknown>): Promise<number> => {
    await resetPeak();
    const [begun, worked] = [performance.now(), await work()];
    let ms = 0;
    const times = await meanwhile(
      act().then(() => {
        ms = performance.now() - begun;
      }),
    );
    figures.push({ name, ms, work: (await work()) - worked, p95: p95Of(times), mb: await peakMb() });
    return ms;
  };
  /** What others feel of nothing: with the users of the demo, and from the write on with those of the sheet in their list. */
  const idles = ["idle", "idle with them"] as const;
  await timed(idles[0], () => pause(idleMs));

  let held: Import | undefined;
  const checked = await timed("read and check", async () => {
    held = await post<Import>(`${base}/import/begin`, { attachId: await upload() });
    held = await until(held.id, "checking");
  });
  const { id, rows, bad, state, failure } = held as unknown as Import;
  hold(
    state === "checked" && rows === rowCount && bad === badCount,
    `${rows} rows were read, ${bad} of them bad (${state} ${failure})`,
  );
  hold((await members()) === before, "the check stored users");
  const found: string[] = [];
  for (let current = 1; ; current += 1) {
    const { records } = await get<Page<ImportRow>>(`${base}/import/rows?id=${id}&size=500&current=${current}`);
    found.push(
      ...records.map(
        (row) => `${row.rowNumber} ${row.problems.map(({ field, reason }) => `${field} ${reason}`).join()}`,
      ),
    );
    if (records.length < 500) break;
  }
  const expected = lines.flatMap((_, at) => {
    const mistake = mistakeAt(at);
    return mistake ? [`${at + 2} ${mistake.told}`] : [];
  });
  hold(
    found.join("\n") === expected.join("\n"),
    `the problems are not those of the bad rows and fields: ${found.slice(0, 3).join("; ")}`,
  );
  const written = await timed("write", async () => {
    await post<Import>(`${base}/import/write`, { id, mode: "good" });
    held = await until(id, "writing");
  });
  const good = rowCount - badCount;
  const done = held as unknown as Import;
  hold(
    done.state === "written" && done.written === good,
    `${done.written} rows are written (${done.state} ${done.failure})`,
  );
  hold((await members()) === before + good, "not exactly the good rows are stored");

  // The same rows, as fast as PostgreSQL takes them.
  const folder = join(directory, "copy");
  let copied = 0;
  for (const [table, key] of [
    ["accounts", "id in (select row_id from import_rows where import_id = $1)"],
    ["memberships", "account_id in (select row_id from import_rows where import_id = $1)"],
    [
      "membership_roles",
      "membership_id in (select m.id from memberships m join import_rows r on r.row_id = m.account_id where r.import_id = $1)",
    ],
    [
      "membership_departments",
      "membership_id in (select m.id from memberships m join import_rows r on r.row_id = m.account_id where r.import_id = $1)",
    ],
    [
      "membership_posts",
      "membership_id in (select m.id from memberships m join import_rows r on r.row_id = m.account_id where r.import_id = $1)",
    ],
    ["member_entries", "account_id in (select row_id from import_rows where import_id = $1)"],
  ] as const) {
    const file = `${folder}-${table}`;
    await database.query(`copy (select * from ${table} where ${key.replace("$1", id)}) to '${file}'`);
    await database.query(`create temp table copied_${table} (like ${table} including all)`);
    const begun = performance.now();
    await database.query(`copy copied_${table} from '${file}'`);
    copied += performance.now() - begun;
  }

  await timed(idles[1], () => pause(idleMs));
  await timed("first passwords", async () => {
    const { jobId } = await post<{ jobId: string }>(`${base}/first-passwords`, { importId: id });
    const job = await jobEnd(jobId);
    hold(job.state === "succeeded", `the first passwords are ${job.state}`);
  });
  await timed("check again", async () => {
    held = await post<Import>(`${base}/import/begin`, { attachId: await upload() });
    held = await until(held.id, "checking");
  });
  const again = held as unknown as Import;
  hold(again.unchanged === good, `of the same sheet ${again.unchanged} rows are unchanged, ${again.good} good`);
  await timed("undo", () => post(`${base}/import/undo`, { id }));
  hold((await members()) === before, "the undoing left users");

  const took = (checked + written) / 1000;
  hold(took <= bounds.seconds, `check and write took ${took.toFixed(1)} s`);
  const slowed = ({ name, p95 }: { name: string; p95: number }): number => {
    const of = idles[name === idles[0] || name === "read and check" ? 0 : 1];
    return p95 / (figures.find((figure) => figure.name === of)?.p95 ?? 0);
  };
  for (const figure of figures) {
    const { name, mb } = figure;
    hold(mb <= bounds.memoryMb, `the server took ${mb.toFixed(0)} MB (${name})`);
    hold(slowed(figure) <= bounds.slower, `others were ${slowed(figure).toFixed(2)} times as slow (${name})`);
  }
  console.log(`\n${rowCount} users, ${badCount} bad, ${format} of ${(bytes.length / 1e6).toFixed(1)} MB`);
  console.log(`embedded PostgreSQL, ${cpus().length} cores shared with this program; Node ${process.versions.node}\n`);
  for (const { name, ms, work, p95, mb } of figures)
    console.log(
      `  ${name.padEnd(16)} ${seconds(ms).padStart(8)}   processor ${seconds(work).padStart(7)}   others p95 ${p95.toFixed(1).padStart(6)} ms, ${slowed({ name, p95 }).toFixed(2)} times   ${mb.toFixed(0)} MB`,
    );
  console.log(
    `  check and write  ${`${took.toFixed(1)} s`.padStart(8)}   COPY of the same rows with their indexes ${seconds(copied)}, ${((took * 1000) / copied).toFixed(1)} times`,
  );
  console.log(`  problems told by row and field ${found.length}`);
  console.log(broken.length === 0 ? "\n  every bound is held\n" : `\n  BROKEN: ${broken.join("; ")}\n`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  await database.end();
  await server.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
