import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { silentLog } from "./log.ts";

let folder: string;
let directory: string;
const running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-embedded-"));
  await chmod(folder, 0o755);
  directory = join(folder, "data");
});

afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, log: silentLog, settings: { fsync: "off" }, ...options });
  running.push(postgres);
  return postgres;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

// These fallbacks are only for root.
describe("root below a folder that nobody else can enter", () => {
  test("works, and goes on with the same rows by another way of running", async () => {
    await chmod(folder, 0o700);
    const closed = await start();
    expect(closed.runner).not.toBe("nobody");
    await query(closed.url(), "CREATE TABLE pig (id int); INSERT INTO pig VALUES (7)");
    await closed.stop();
    await chmod(folder, 0o755);
    const opened = await start();
    expect(opened.runner).toBe("nobody");
    expect(await query(opened.url(), "SELECT id FROM pig")).toEqual([{ id: 7 }]);
    await opened.stop();
    await chmod(folder, 0o700);
    const again = await start();
    expect(await query(again.url(), "SELECT id FROM pig")).toEqual([{ id: 7 }]);
  });

  test("without user namespaces the cluster moves out and says where", async () => {
    await chmod(folder, 0o700);
    const said: string[] = [];
    const log = { ...silentLog, warn: (_fields: object, text: string) => void said.push(text) };
    const postgres = await start({ log, runners: ["nobody", "relocated"] });
    try {
      expect(postgres.runner).toBe("relocated");
      expect(said.join()).toContain("its files are in /var/lib/herdwise/");
      await query(postgres.url(), "CREATE TABLE pig (id int); INSERT INTO pig VALUES (7)");
      await postgres.stop();
      const again = await start();
      expect(await query(again.url(), "SELECT id FROM pig")).toEqual([{ id: 7 }]);
      await again.stop();
    } finally {
      const place = /\/var\/lib\/herdwise\/[0-9a-f]{16}/.exec(said.join())?.[0];
      if (place !== undefined) await rm(place, { recursive: true, force: true });
    }
  });
});
