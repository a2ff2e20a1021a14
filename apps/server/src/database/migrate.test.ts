import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { openDatabase } from "./connection.ts";
import { silentLog } from "./log.ts";
import { MigrationError, migrate } from "./migrate.ts";

let folder: string;
let empty: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-migrations-"));
  empty = await createEmptyDatabase();
});

afterEach(async () => {
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

function file(name: string, text: string): Promise<void> {
  return writeFile(join(folder, name), text);
}

async function tables(database = empty.database): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test("applies files in order, each once, and continues with new ones", async () => {
  await file("0001_pigs.sql", "CREATE TABLE pigs (id int); CREATE TABLE sows (id int);");
  await file("0002_more.sql", "ALTER TABLE pigs ADD name text;");
  expect(await migrate(empty.database, silentLog, folder)).toEqual(["0001_pigs.sql", "0002_more.sql"]);
  expect(await migrate(empty.database, silentLog, folder)).toEqual([]);
  await file("0003_farms.sql", "CREATE TABLE farms (id int);");
  expect(await migrate(empty.database, silentLog, folder)).toEqual(["0003_farms.sql"]);
  expect(await tables()).toEqual(["farms", "pigs", "schema_migrations", "sows"]);
});

test("5 servers that start together migrate once", async () => {
  await file("0001_pigs.sql", "CREATE TABLE pigs (id int); SELECT pg_sleep(0.2);");
  await file("0002_row.sql", "INSERT INTO pigs VALUES (1);");
  const servers = Array.from({ length: 5 }, (_, index) =>
    openDatabase({ url: empty.url, poolSize: 1, applicationName: `server-${index}`, log: silentLog }),
  );
  const applied = await Promise.all(servers.map((server) => migrate(server, silentLog, folder)));
  expect(applied.filter((names) => names.length === 2)).toHaveLength(1);
  expect(applied.filter((names) => names.length === 0)).toHaveLength(4);
  expect((await empty.database.pool.query("SELECT FROM pigs")).rowCount).toBe(1);
  await Promise.all(servers.map((server) => server.close()));
});

test("a failing file leaves nothing of itself, names its line, and the earlier ones stay", async () => {
  await file("0001_pigs.sql", "CREATE TABLE pigs (id int);");
  await file("0002_broken.sql", "CREATE TABLE farms (id int);\nINSERT INTO pigs\n  VALUES (nonsense);");
  await expect(migrate(empty.database, silentLog, folder)).rejects.toThrow("0002_broken.sql (line 3): ");
  expect(await tables()).toEqual(["pigs", "schema_migrations"]);
  await file("0002_broken.sql", "CREATE TABLE farms (id int);");
  expect(await migrate(empty.database, silentLog, folder)).toEqual(["0002_broken.sql"]);
});

test("refuses a changed file, a newer database, a late number, twins and odd names", async () => {
  await file("0001_pigs.sql", "CREATE TABLE pigs (id int);");
  await file("0003_farms.sql", "CREATE TABLE farms (id int);");
  await migrate(empty.database, silentLog, folder);
  const attempt = (): Promise<unknown> => migrate(empty.database, silentLog, folder).catch((error: unknown) => error);

  await file("0001_pigs.sql", "CREATE TABLE pigs (id int);");
  expect(await attempt()).toEqual([]);
  await file("0001_pigs.sql", "CREATE TABLE pigs (id bigint);");
  expect(await attempt()).toMatchObject({
    name: "MigrationError",
    message: expect.stringContaining("0001_pigs.sql is not the file that made these data"),
  });
  await file("0001_pigs.sql", "CREATE TABLE pigs (id int);");

  await file("0002_late.sql", "SELECT 1;");
  expect(String(await attempt())).toContain(
    "0002_late.sql was never applied to these data, although the later 0003_farms.sql was",
  );
  await rm(join(folder, "0002_late.sql"));

  await file("0003_twin.sql", "SELECT 1;");
  expect(String(await attempt())).toContain("0003_farms.sql and 0003_twin.sql have the same number");
  await rm(join(folder, "0003_twin.sql"));

  await file("four.sql", "SELECT 1;");
  expect(await attempt()).toBeInstanceOf(MigrationError);
  await rm(join(folder, "four.sql"));

  await rm(join(folder, "0003_farms.sql"));
  expect(String(await attempt())).toContain("written by a newer version: they have migration 0003_farms.sql");
});

test("line ends of a checkout on Windows are no change", async () => {
  await file("0001_pigs.sql", "CREATE TABLE pigs (\n  id int\n);\n");
  await migrate(empty.database, silentLog, folder);
  await file("0001_pigs.sql", "CREATE TABLE pigs (\r\n  id int\r\n);\r\n");
  expect(await migrate(empty.database, silentLog, folder)).toEqual([]);
});

test("a server killed again and again while migrating: the next goes on, every file is applied whole and once", async () => {
  const total = 40;
  for (let number = 1; number <= total; number += 1) {
    const name = String(number).padStart(4, "0");
    await file(
      `${name}_step.sql`,
      `CREATE TABLE step_${name} (id int); SELECT pg_sleep(0.02); INSERT INTO step_${name} VALUES (1);`,
    );
  }
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const code = `
    const { openDatabase } = await import(${here("./connection.ts")});
    const { silentLog } = await import(${here("./log.ts")});
    const { migrate } = await import(${here("./migrate.ts")});
    const database = openDatabase({ url: ${JSON.stringify(empty.url)}, poolSize: 1, applicationName: 'killed', log: silentLog });
    console.log('going');
    await migrate(database, silentLog, ${JSON.stringify(folder)});
    await database.close();`;
  let interrupted = 0;
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const timer = setTimeout(() => child.kill("SIGKILL"), 40 + 25 * round);
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    clearTimeout(timer);
    if (signal === "SIGKILL") interrupted += 1;
  }
  expect(interrupted).toBeGreaterThan(3);
  await migrate(empty.database, silentLog, folder);
  const { rows } = await empty.database.pool.query<{ name: string }>("SELECT name FROM schema_migrations ORDER BY 1");
  expect(rows).toHaveLength(total);
  for (const { name } of rows) {
    expect((await empty.database.pool.query(`SELECT FROM step_${name.slice(0, 4)}`)).rowCount).toBe(1);
  }
});

test("the real migrations are in the template, and clones of it can be made at the same time", async () => {
  const clones = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
  for (const clone of clones) {
    expect(await migrate(clone.database, silentLog)).toEqual([]);
    expect((await tables(clone.database)).length).toBeGreaterThan(1);
  }
  await Promise.all(clones.map((clone) => clone.drop()));
});
