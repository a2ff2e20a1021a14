import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scratchFolder } from "../../../../tests/harness/scratch-folder.ts";
import { volume } from "../../../../tests/harness/volume.ts";
import { loadSecretKey } from "../secret-key.ts";
import { createBackup, segmentNames } from "./backup.ts";
import { type Database, openDatabase } from "./connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { silentLog } from "./log.ts";
import { restoreBackup } from "./restore.ts";

let folder: string;
let directory: string;
let target: string;
let file: string;
const open: Array<{ stop(): Promise<void> }> = [];

beforeEach(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-backup-"));
  await chmod(folder, 0o755);
  directory = join(folder, "data");
  target = join(folder, "restored");
  file = join(folder, "backups", "a.tar.gz");
});

afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts with durable settings, because this test is about what survives. */
async function start(at: string): Promise<{ postgres: EmbeddedPostgres; database: Database }> {
  const postgres = await startEmbeddedPostgres({ directory: at, log: silentLog });
  open.push(postgres);
  const database = openDatabase({ url: postgres.url(), poolSize: 12, applicationName: "test", log: silentLog });
  open.push({ stop: () => database.close() });
  return { postgres, database };
}

async function rowsOf<Row>(database: Database, text: string): Promise<Row[]> {
  return (await database.pool.query(text)).rows as Row[];
}

/** Rows that a backup must contain, about 1 kB each. */
const ballastRows = volume({ short: 8_000, long: 60_000 });

interface Written {
  readonly writer: number;
  readonly rows: number;
  readonly last: number;
}

test("a backup under a steady write load restores to a consistent prefix without a hole", async () => {
  const { postgres, database } = await start(directory);
  await writeFile(join(directory, "secret.key"), "the pepper");
  await mkdir(join(directory, "files", "猪"), { recursive: true });
  await writeFile(join(directory, "files", "猪", "a.bin"), Buffer.alloc(100_000, 7));
  await database.pool.query(`
    CREATE TABLE readings (writer int, n int, filler text, PRIMARY KEY (writer, n));
    CREATE TABLE totals (writer int PRIMARY KEY, n int NOT NULL);
    CREATE TABLE ballast AS SELECT g AS id, repeat(md5(g::text), 30) AS body FROM generate_series(1, ${ballastRows}) g;`);

  const writers = 4;
  const acknowledged = Array.from({ length: writers }, () => 0);
  let writing = true;
  // Each commit adds a number and updates the total in place, so a torn state shows as a difference between them.
  const load = acknowledged.map(async (_, writer) => {
    const client = await database.pool.connect();
    await client.query("INSERT INTO totals VALUES ($1, 0)", [writer]);
    for (let n = 1; writing; n += 1) {
      await client.query("BEGIN");
      await client.query(`INSERT INTO readings VALUES ($1, $2, repeat('x', 500))`, [writer, n]);
      await client.query("UPDATE totals SET n = $2 WHERE writer = $1", [writer, n]);
      await client.query("COMMIT");
      acknowledged[writer] = n;
    }
    client.release();
  });
  const administrator = new pg.Client({ connectionString: postgres.superuserUrl("postgres") });
  await administrator.connect();
  // Files that appear, shrink and vanish while the cluster is copied.
  const churn = (async () => {
    for (let round = 0; writing; round += 1) {
      await database.pool.query(
        `CREATE TABLE churn_${round} AS SELECT repeat('y', 900) AS body FROM generate_series(1, 2000)`,
      );
      await database.pool.query(`UPDATE ballast SET body = md5($1::text) || substr(body, 33) WHERE id % 50 = 3`, [
        round,
      ]);
      await database.pool.query(`DROP TABLE churn_${round}`);
      await administrator.query("CHECKPOINT");
    }
  })();

  await wait(500);
  const before = [...acknowledged];
  const result = await createBackup({ directory, file, log: silentLog });
  const after = [...acknowledged];
  await wait(200);
  writing = false;
  await Promise.all([...load, churn]);
  await administrator.end();
  expect(result.takenFrom).toBe("running");
  expect(
    after.some((n, writer) => n > (before[writer] ?? 0) + 5),
    "the load went on during the backup",
  ).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "backups"))).toEqual(["a.tar.gz"]);
  expect(await rowsOf(database, "SELECT FROM pg_replication_slots")).toEqual([]);

  const restored = await restoreBackup({ directory: target, file, replace: false, log: silentLog });
  expect(restored.replacedAt).toBeUndefined();
  expect(await readFile(join(target, "files", "猪", "a.bin"))).toEqual(Buffer.alloc(100_000, 7));
  const second = await start(target);
  expect(second.postgres.adopted).toBe(false);
  const written = await rowsOf<Written>(
    second.database,
    `SELECT writer, count(*)::int AS rows, max(n) AS last FROM readings GROUP BY writer ORDER BY writer`,
  );
  const totals = await rowsOf<{ n: number }>(second.database, "SELECT n FROM totals ORDER BY writer");
  expect(written).toHaveLength(writers);
  for (const { writer, rows, last } of written) {
    expect(rows, "no hole").toBe(last);
    expect(totals[writer]?.n, "row and total of one commit").toBe(last);
    expect(last, "acknowledged before the start").toBeGreaterThanOrEqual(before[writer] ?? 0);
    expect(last, "nothing from after the end").toBeLessThanOrEqual((acknowledged[writer] ?? 0) + 1);
  }
  // Reads every page, and so verifies each checksum.
  const [ballast] = await rowsOf<{ rows: number; bytes: number }>(
    second.database,
    "SELECT count(*)::int AS rows, sum(length(body))::int AS bytes FROM ballast",
  );
  expect(ballast).toEqual({ rows: ballastRows, bytes: ballastRows * 32 * 30 });
  await second.database.pool.query("REINDEX TABLE readings");
  expect(postgres.adopted).toBe(false);
});

test("a stopped server is copied, and the copy does not replace a directory with content unless told to", async () => {
  const first = await start(directory);
  await first.database.pool.query("CREATE TABLE pig (id int); INSERT INTO pig VALUES (1)");
  await first.database.close();
  await first.postgres.stop();
  expect((await createBackup({ directory, file, log: silentLog })).takenFrom).toBe("stopped");
  await expect(createBackup({ directory, file, log: silentLog })).rejects.toThrow("exists already");

  await expect(restoreBackup({ directory, file, replace: false, log: silentLog })).rejects.toThrow("is not empty");
  await writeFile(join(directory, "newer.txt"), "kept");
  const { replacedAt } = await restoreBackup({ directory, file, replace: true, log: silentLog });
  expect(await readFile(join(replacedAt ?? "", "newer.txt"), "utf8")).toBe("kept");
  expect(existsSync(join(replacedAt ?? "", "postgres", "PG_VERSION"))).toBe(true);
  expect(existsSync(join(directory, "newer.txt"))).toBe(false);
  const again = await start(directory);
  expect(await rowsOf(again.database, "SELECT id FROM pig")).toEqual([{ id: 1 }]);

  await expect(restoreBackup({ directory, file, replace: true, log: silentLog })).rejects.toThrow(
    "Another server runs",
  );
  expect(await rowsOf(again.database, "SELECT id FROM pig")).toEqual([{ id: 1 }]);
});

test("a damaged, cut or foreign archive changes nothing", async () => {
  const first = await start(directory);
  await first.database.pool.query(`CREATE TABLE note (body text); INSERT INTO note VALUES ('needle-in-the-backup')`);
  await createBackup({ directory, file, log: silentLog });
  const plain = gunzipSync(await readFile(file));
  const attempt = (path: string): Promise<unknown> =>
    restoreBackup({ directory: target, file: path, replace: false, log: silentLog });
  const bad = join(folder, "bad.tar.gz");

  const changed = Buffer.from(plain);
  changed.write("NEEDLE", changed.indexOf("needle-in-the-backup"));
  await writeFile(bad, gzipSync(changed, { level: 1 }));
  await expect(attempt(bad)).rejects.toThrow(/is damaged in the backup/);

  await writeFile(bad, await readFile(file));
  await truncate(bad, Math.floor((await stat(file)).size / 2));
  await expect(attempt(bad)).rejects.toThrow("is damaged or not whole");

  const cutTar = join(folder, "bad.tar");
  await writeFile(cutTar, plain.subarray(0, plain.indexOf("manifest.json")));
  await expect(attempt(cutTar)).rejects.toThrow("is damaged or not whole");
  await writeFile(cutTar, Buffer.concat([plain.subarray(0, plain.indexOf("manifest.json")), Buffer.alloc(1024)]));
  await expect(attempt(cutTar)).rejects.toThrow("no manifest");

  await writeFile(cutTar, "no archive at all");
  await expect(attempt(cutTar)).rejects.toThrow("is damaged or not whole");
  expect(readdirSync(target)).toEqual([]);
});

/** Content of an archive as one text, including the cluster's files. */
const contentOf = async (path: string) => gunzipSync(await readFile(path)).toString("latin1");

test("the secret key stays out of a backup, and the restored folder starts only with the right one", async () => {
  const key = "canary-key-canary-key-canary-key-1";
  const { postgres } = await start(directory);
  await writeFile(join(directory, "secret.key"), `${key}\n`, { mode: 0o600 });
  await writeFile(join(directory, "fleet.json"), "canary-token");
  expect((await createBackup({ directory, file, log: silentLog })).key).toBe("left out");
  const content = await contentOf(file);
  for (const url of [postgres.url(), postgres.superuserUrl("postgres")])
    expect(content).not.toContain(new URL(url).password);
  for (const canary of [key, "canary-token"]) expect(content).not.toContain(canary);

  const restored = await restoreBackup({ directory: target, file, replace: false, log: silentLog });
  expect(restored.key).toBe("missing");
  await expect(loadSecretKey(undefined, target)).rejects.toThrow(/without its secret key/);
  expect(existsSync(join(target, "secret.key"))).toBe(false);
  expect(await loadSecretKey("of the environment", target)).toBe("of the environment");
  await writeFile(join(target, "secret.key"), key);
  expect(await loadSecretKey(undefined, target)).toBe(key);

  // Restoring over the original folder uses its key; restoring over another installation's folder must not use that key.
  expect((await restoreBackup({ directory: target, file, replace: true, log: silentLog })).key).toBe("kept");
  expect(await loadSecretKey(undefined, target)).toBe(key);
  await writeFile(join(target, "secret.key"), "of another installation");
  const again = await restoreBackup({ directory: target, file, replace: true, log: silentLog });
  expect(again.key).toBe("missing");
  expect(await readFile(join(again.replacedAt ?? "", "secret.key"), "utf8")).toBe("of another installation");
  await expect(loadSecretKey(undefined, target)).rejects.toThrow(/without its secret key/);
});

test("with a passphrase the key is in the backup, and only that passphrase opens it", async () => {
  const key = "canary-key-canary-key-canary-key-2";
  await start(directory);
  await writeFile(join(directory, "secret.key"), `${key}\n`, { mode: 0o600 });
  const passphrase = "long enough 猪";
  await expect(createBackup({ directory, file, passphrase: "short", log: silentLog })).rejects.toThrow("at least 12");
  expect((await createBackup({ directory, file, passphrase, log: silentLog })).key).toBe("sealed");
  const content = await contentOf(file);
  for (const canary of [key, Buffer.from(key).toString("base64").slice(0, 30), passphrase]) {
    expect(content).not.toContain(canary);
  }

  const options = { directory: target, file, replace: false, log: silentLog };
  await expect(restoreBackup({ ...options, passphrase: "long enough, but not it" })).rejects.toThrow(/does not open/);
  expect(readdirSync(target)).toEqual([]);
  expect((await restoreBackup({ ...options, passphrase })).key).toBe("restored");
  expect(await loadSecretKey(undefined, target)).toBe(key);
  expect((await stat(join(target, "secret.key"))).mode & 0o777).toBe(0o600);
});

test("paths that lead out of the target are refused", async () => {
  const { tarEnd, tarHeader, tarPadding } = await import("./tar.ts");
  const path = join(folder, "evil.tar");
  for (const name of ["../evil", "cluster/../../evil", "/etc/evil", "directory//evil", "elsewhere/evil"]) {
    const body = Buffer.from("evil");
    const header = tarHeader({ path: name, kind: "file", sizeBytes: body.length, mode: 0o600, modifiedAt: new Date() });
    await writeFile(path, Buffer.concat([header, body, tarPadding(body.length), tarEnd()]));
    await expect(restoreBackup({ directory: target, file: path, replace: false, log: silentLog })).rejects.toThrow(
      "impossible path",
    );
  }
});

test("a killed backup leaves no file of the final name, and the next one clears its remains", async () => {
  const { database } = await start(directory);
  await database.pool.query(
    `CREATE TABLE ballast AS SELECT repeat(md5(g::text), 30) AS body FROM generate_series(1, ${ballastRows}) g`,
  );
  const cli = fileURLToPath(new URL("../cli/backup.ts", import.meta.url));
  const env = { PATH: "/usr/bin:/bin", DATA_DIR: directory };
  const killed = execFile(process.execPath, [cli, file], { env });
  while (!existsSync(join(folder, "backups")) || readdirSync(join(folder, "backups")).length === 0) await wait(2);
  killed.kill("SIGKILL");
  await new Promise((resolve) => killed.once("exit", resolve));
  expect(readdirSync(join(folder, "backups"))).toEqual([`a.tar.gz.partial-${killed.pid}`]);

  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [cli, file], { env });
  expect(stdout).toContain("from a running server");
  expect(readdirSync(join(folder, "backups"))).toEqual(["a.tar.gz"]);
  const restoreCli = fileURLToPath(new URL("../cli/restore.ts", import.meta.url));
  const restored = await run(process.execPath, [restoreCli, file], { env: { ...env, DATA_DIR: target } });
  expect(restored.stdout).toContain("checked and started once");
  await expect(run(process.execPath, [cli, file], { env })).rejects.toThrow("exists already");
  await expect(run(process.execPath, [cli, join(directory, "inside.tar")], { env })).rejects.toThrow(
    "lies in the directory that it would protect",
  );
});

test("an interrupted restore keeps the server from starting until it is repeated", async () => {
  const first = await start(directory);
  await first.database.pool.query("CREATE TABLE pig (id int)");
  await createBackup({ directory, file, log: silentLog });
  await mkdir(join(target, "files"), { recursive: true });
  await writeFile(join(target, "restore.unfinished"), "");
  await expect(startEmbeddedPostgres({ directory: target, log: silentLog })).rejects.toThrow("was interrupted");
  await restoreBackup({ directory: target, file, replace: false, log: silentLog });
  const again = await start(target);
  expect(await rowsOf(again.database, "SELECT id FROM pig")).toEqual([]);
});

test("segment names go on over the end of a log file number", () => {
  expect(segmentNames("0000000100000002000000FE", "000000010000000300000001", 16 * 1024 * 1024)).toEqual([
    "0000000100000002000000FE",
    "0000000100000002000000FF",
    "000000010000000300000000",
    "000000010000000300000001",
  ]);
});
