import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, open as openFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../../../../tests/harness/scratch-folder.ts";
import { readBackupLog } from "../backup-log.ts";
import { examineInstallation } from "../cli/examination.ts";
import { accountKey } from "../modules/identity/index.ts";
import { createSnowflake } from "../snowflake.ts";
import { createBackup } from "./backup.ts";
import { openDatabase } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { silentLog } from "./log.ts";
import { migrate } from "./migrate.ts";
import { rehearseRestore } from "./rehearse.ts";
import { createAdministrator } from "./seeds/administrator.ts";
import { seedFoundation } from "./seeds/foundation.ts";

let folder: string;
let dataDir: string;
let file: string;
let tablesThere = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-rehearsal-"));
  await chmod(folder, 0o755);
  dataDir = join(folder, "data");
  file = join(folder, "backups", "a.tar.gz");
  const postgres = await startEmbeddedPostgres({ directory: dataDir, log: silentLog, settings: { fsync: "off" } });
  const database = openDatabase({ url: postgres.url(), poolSize: 4, applicationName: "test", log: silentLog });
  const nextId = createSnowflake(7);
  await migrate(database, silentLog);
  await seedFoundation(database.kysely, nextId);
  const account = "first";
  await createAdministrator(database.kysely, nextId, { account, accountKey: accountKey(account), passwordHash: "x" });
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  tablesThere = rows[0]?.count ?? 0;
  await writeFile(join(dataDir, "secret.key"), randomBytes(32).toString("base64url"));
  // Of the running server, as the backup of every night is.
  await createBackup({ directory: dataDir, file, log: silentLog });
  await database.close();
  await postgres.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rehearse = (more: { file?: string; at?: string } = {}) =>
  rehearseRestore({
    dataDir: more.at ?? dataDir,
    file: more.file ?? file,
    scratch: dataDir,
    ownKey: undefined,
    passphrase: undefined,
    log: silentLog,
  });
const left = async () => (await readdir(dataDir)).filter((name) => name.startsWith("rehearsal-"));
const rehearsed = async () => {
  const environment = { DATA_DIR: dataDir, PORT: "0", MQTT_PORT: "0" };
  return (await examineInstallation({ environment })).find(({ id }) => id === "backup.rehearsed");
};

test("a backup is restored beside the data, read as a whole, and noted; nothing is left of it", async () => {
  expect((await rehearsed())?.text.en).toMatch(/Never restored/);
  const before = (await readdir(dataDir)).toSorted();
  const done = await rehearse();
  expect(done.tables).toBe(tablesThere);
  expect(done.rows).toBeGreaterThan(1000);
  expect(done.migrations).toBeGreaterThan(100);
  expect(await left()).toEqual([]);
  expect((await readdir(dataDir)).filter((name) => name !== "backups.json").toSorted()).toEqual(before);
  const { rehearsed: noted } = await readBackupLog(dataDir);
  expect(noted).toMatchObject({ file, tookMs: done.tookMs });
  expect(await rehearsed()).toMatchObject({ state: "ok" });
});

test("a damaged backup is refused, noted, and told by the checks until another one is restored", async () => {
  const damaged = join(folder, "backups", "damaged.tar");
  await createBackup({ directory: dataDir, file: damaged, log: silentLog });
  const handle = await openFile(damaged, "r+");
  // Not in a header: only the checksums tell it.
  await handle.write(Buffer.from("damage"), 0, 6, Math.floor((await stat(damaged)).size / 2 / 512) * 512 + 100);
  await handle.close();
  await expect(rehearse({ file: damaged })).rejects.toThrow(/is damaged in the backup|damaged or not whole/);
  expect(await left()).toEqual([]);
  expect(await rehearsed()).toMatchObject({ state: "critical" });
  await rehearse();
  expect(await rehearsed()).toMatchObject({ state: "ok" });
});

test("a backup whose audit trail was changed is refused", async () => {
  const changed = join(folder, "backups", "changed.tar.gz");
  const postgres = await startEmbeddedPostgres({ directory: dataDir, log: silentLog, settings: { fsync: "off" } });
  const database = openDatabase({ url: postgres.url(), poolSize: 2, applicationName: "test", log: silentLog });
  await database.pool.query(
    `insert into audit_entries (id, chain, position, actor_name, resource, row_id, row_title, action, changes, remote_address, created_at, previous_hash, hash)
     values (5001, 'installation', 1, '', 'role', '1', '', 'edit', '[]', '', now(), decode(repeat('00', 32), 'hex'), decode(repeat('ab', 32), 'hex'))`,
  );
  await createBackup({ directory: dataDir, file: changed, log: silentLog });
  await database.pool.query("delete from audit_entries where id = 5001").catch(() => undefined);
  await database.close();
  await postgres.stop();
  await expect(rehearse({ file: changed })).rejects.toThrow(/The audit trail breaks at entry 5001/);
});

test("a backup whose key is lost is no backup", async () => {
  const path = join(dataDir, "secret.key");
  const kept = await readFile(path, "utf8");
  await writeFile(path, randomBytes(32).toString("base64url"));
  await expect(rehearse()).rejects.toThrow(/The secret key of this backup is not/);
  await writeFile(path, kept);
});

test("without a backup it says what to do", async () => {
  const none = await mkdtemp(join(folder, "none-"));
  await expect(
    rehearseRestore({
      dataDir: none,
      file: undefined,
      scratch: none,
      ownKey: undefined,
      passphrase: undefined,
      log: silentLog,
    }),
  ).rejects.toThrow(/npm run backup/);
});
