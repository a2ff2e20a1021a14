import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Import, Job } from "@herdwise/contract";
import { expect, vi } from "vitest";
import { writeSheet } from "../../apps/server/src/modules/sheets/index.ts";
import type { RawRow } from "../../apps/server/src/modules/sheets/sheet-limits.ts";
import { openArchive, openXlsx } from "../../apps/server/src/modules/sheets/xlsx-book.ts";
import type { TestApp } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";

const waiting = { timeout: 15_000, interval: 50 };

/** A sheet of these rows; its columns are those of the first. */
export async function sheetOf(rows: readonly Readonly<Record<string, string>>[]): Promise<Buffer> {
  const path = join(tmpdir(), `herdwise-test-${randomUUID()}.xlsx`);
  const columns = Object.keys(rows[0] ?? {}).map((header) => ({ key: header, header }));
  async function* each() {
    yield* rows;
  }
  await writeSheet(path, "表", columns, each());
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

/** Imports and exports of one resource. @param base its path @param token whose they are */
export function sheetCalls(app: TestApp, base: string, token: string) {
  const get = async <T>(path: string, query: Record<string, string>) =>
    (await app.call({ path, query, token })).body.data as T;
  const post = async <T = Import>(verb: string, body: unknown) => {
    const answer = await app.call({ method: "POST", path: `${base}/${verb}`, body, token });
    return { status: answer.status, data: answer.body.data as T, msg: answer.body.msg };
  };
  /** Waits until an import has left a state. */
  const settled = (id: string, from: string, timeout = waiting.timeout): Promise<Import> =>
    vi.waitFor(
      async () => {
        const now = await get<Import>(`${base}/import/detail`, { id });
        // A refusal, as of somebody who asks too often, says nothing of the import.
        if (now.state === undefined || now.state === from) throw new Error(`still ${from}: ${JSON.stringify(now)}`);
        return now;
      },
      // Each look counts the rows: of a long sheet it would take a core from what it waits for.
      { timeout, interval: timeout > waiting.timeout ? 500 : waiting.interval },
    );
  /** Reads a sheet that the server made. */
  const read = async (attachmentId: string | undefined) => {
    const { rows: found } = await app.test.database.pool.query("select name from attachments where id = $1", [
      attachmentId,
    ]);
    const bytes = await readFile(join(app.dataDir, "files", found[0].name));
    // Without the thread of `readSheet`, which is for the sheets of strangers.
    const lines: RawRow[] = [];
    await (await openXlsx(await openArchive(bytes))).read(0, 100, async (rows) => lines.push(...rows) > 0);
    const [headers = [], ...rest] = lines.map(({ texts }) => texts);
    const rows = rest.map(
      (texts): Record<string, string> =>
        Object.fromEntries(
          headers.flatMap((header, at) => (texts[at] ? [[header, texts[at].replace(/^'(?=[=+@-])/, "")]] : [])),
        ),
    );
    return { headers, rows, bytes };
  };
  /** Uploads a file and waits until it is checked. */
  const checkFile = async (bytes: Buffer, name: string, timeout = waiting.timeout): Promise<Import> => {
    const file = await upload(app, token, bytes, name);
    expect(file.body.msg).toBe("操作成功");
    const { data, msg } = await post("import/begin", { attachId: file.body.data.attachId });
    expect(msg).toBe("操作成功");
    return settled(data.id, "checking", timeout);
  };
  return {
    get,
    post,
    settled,
    read,
    checkFile,
    /** Uploads a sheet of these rows and waits until it is checked. */
    check: async (rows: readonly Readonly<Record<string, string>>[], timeout = waiting.timeout): Promise<Import> =>
      checkFile(await sheetOf(rows), "表格.xlsx", timeout),
    /** Writes a checked import and waits for it. */
    async write(id: string, mode: "all" | "good", timeout = waiting.timeout): Promise<Import> {
      const { msg } = await post("import/write", { id, mode });
      expect(msg).toBe("操作成功");
      return settled(id, "writing", timeout);
    },
    /** Exports rows, and reads the sheet that came out. */
    async exported(body: object): Promise<{ rows: Record<string, string>[]; job: Job; bytes: Buffer }> {
      const { status, data } = await post<{ jobId: string }>("export", body);
      expect(status).toBe(200);
      const job = await vi.waitFor(async () => {
        const now = await get<Job>("/api/muyuan-system/job/detail", { id: data.jobId });
        if (now.state !== "succeeded") throw new Error(`${now.state} ${now.reason}`);
        return now;
      }, waiting);
      const { rows, bytes } = await read(job.result.attachmentId);
      return { rows, job, bytes };
    },
  };
}
