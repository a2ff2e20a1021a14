import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import type { Import, UploadedFile } from "@herdwise/contract";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "../harness/database.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { multipartOf } from "../harness/upload.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** What is imported: rows of a table, and users, who stand in several. */
const imports = [
  {
    what: "slaughterhouses",
    base: "/api/muyuan-trade/slaughterhouse",
    table: "slaughterhouses",
    rowCount: 4000,
    headings: ["编号", "屠宰场名称", "所在地区"],
    line: (at: number) => [`K-${at}`, `Kill ${at}`, "411325"],
  },
  {
    what: "users",
    base: "/api/muyuan-system/user",
    table: "memberships",
    rowCount: 1500,
    headings: ["账户", "姓名", "角色名称"],
    line: (at: number) => [`kill-${at}`, "王强", "客服"],
  },
] as const;

function sheet({ rowCount, headings, line }: (typeof imports)[number]): Buffer {
  const lines = Array.from({ length: rowCount }, (_, at) => line(at));
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([[...headings], ...lines]), "表");
  return write(book, { type: "buffer", bookType: "xlsx", compression: true });
}

/** Calls of an administrator. */
async function callsOn(server: ServerProcess) {
  const address = `http://127.0.0.1:${server.httpPort}`;
  const { access_token: token } = await tokenOfDemo(address, "admin");
  const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${token}` };
  const dataOf = async <T>(answer: Response): Promise<T> => {
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: T }).data;
  };
  return {
    get: async <T>(path: string) => dataOf<T>(await fetch(address + path, { headers })),
    post: async <T>(path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
      dataOf<T>(await fetch(address + path, { method: "POST", headers: { ...headers, "Content-Type": type }, body })),
  };
}

test.each(imports)(
  "R19: kill -9 while an import of $what is written: nothing of it is there, and the next server writes it whole, once",
  async (of) => {
    const { base, table, rowCount } = of;
    const place = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "herdwise-kill-"));
    const environment = { DATA_DIR: dataDir, DATABASE_URL: place.url };
    const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await place.database.pool.query(text, values)).rows as Row[];
    const counted = async () => {
      const [row] = await query<{ rows: number; ids: number; entries: number; messages: number }>(
        `select (select count(*)::int from ${table}) as rows,
              (select count(distinct row_id)::int from audit_entries where action = 'import') as ids,
              (select count(*)::int from audit_entries where action = 'import') as entries,
              (select count(*)::int from messages where link like '%job%') as messages`,
      );
      return row;
    };
    const until = <T>(work: () => Promise<T>, ms: number) =>
      vi.waitFor(work, { timeout: onThisMachine(ms), interval: 10 });
    let server: ServerProcess | undefined;
    try {
      server = await startServerProcess(environment);
      const before = await counted();
      const { get, post } = await callsOn(server);
      const { body, type } = await multipartOf(sheet(of), "rows.xlsx");
      const { attachId } = await post<UploadedFile>(
        "/api/muyuan-resource/oss/endpoint/put-file-attach",
        new Uint8Array(body),
        type,
      );
      const { id } = await post<Import>(`${base}/import/begin`, JSON.stringify({ attachId }));
      await until(async () => {
        const { state, good } = await get<Import>(`${base}/import/detail?id=${id}`);
        expect([state, good]).toEqual(["checked", rowCount]);
      }, 20_000);
      // The message of the check's end comes after its result.
      await until(async () => expect((await counted())?.messages).toBe((before?.messages ?? 0) + 1), 10_000);
      const checked = await counted();
      const { jobId } = await post<Import>(`${base}/import/write`, JSON.stringify({ id, mode: "all" }));
      await until(async () => {
        const [job] = await query<{ done: number }>("select done from background_jobs where id = $1", [jobId]);
        expect(job?.done).toBeGreaterThan(0);
      }, 20_000);
      await server.kill();
      // What it asked last may still run; then the database takes its transaction back.
      await until(async () => {
        const open = await query(
          "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'herdwise-test'",
        );
        expect(open).toEqual([]);
      }, 20_000);
      const [cut] = await query<{ done: number; total: number; state: string }>(
        "select j.done, j.total, i.state from background_jobs j, imports i where j.id = $1 and i.id = $2",
        [jobId, id],
      );
      // A kill before the first rows or after the last would prove nothing.
      expect(cut?.done).toBeGreaterThan(0);
      expect(cut?.state).toBe("writing");
      expect(await counted()).toEqual(checked);

      // As if the time had passed after which a server without a sign of life counts as dead.
      await query("update jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'");
      server = await startServerProcess(environment);
      await until(async () => {
        const [row] = await query<{ state: string }>("select state from imports where id = $1", [id]);
        expect(row?.state).toBe("written");
      }, 40_000);
      await until(async () => {
        const [job] = await query<{ state: string }>("select state from background_jobs where id = $1", [jobId]);
        expect(job?.state).toBe("succeeded");
      }, 10_000);
      expect(await counted()).toEqual({
        rows: (before?.rows ?? 0) + rowCount,
        ids: (checked?.ids ?? 0) + rowCount,
        entries: (checked?.entries ?? 0) + rowCount,
        messages: (checked?.messages ?? 0) + 1,
      });
      const again = await callsOn(server);
      const done = await again.get<Import>(`${base}/import/detail?id=${id}`);
      expect(done).toMatchObject({ state: "written", written: rowCount });
    } finally {
      await server?.kill();
      await place.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
