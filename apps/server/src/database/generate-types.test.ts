import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { generatedTypesDiffer, generateTypes } from "./generate-types.ts";

let folder: string;
let empty: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-types-"));
  empty = await createEmptyDatabase();
});

afterAll(async () => {
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

test("names are camelCase, bigint and date are text, partitions and bookkeeping are left out", async () => {
  await empty.database.pool.query(`
    CREATE TABLE schema_migrations (name text);
    CREATE TABLE pig_readings (pig_id bigint NOT NULL, read_on date NOT NULL, body jsonb) PARTITION BY RANGE (read_on);
    CREATE TABLE pig_readings_2026 PARTITION OF pig_readings FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');`);
  const file = join(folder, "database.ts");
  expect(await generatedTypesDiffer(empty.url, file)).toBe(true);
  await generateTypes(empty.url, file);
  expect(await generatedTypesDiffer(empty.url, file)).toBe(false);
  const text = await readFile(file, "utf8");
  expect(text).toContain("pigId: Int8;");
  expect(text).toContain("readOn: string;");
  expect(text).toMatch(/interface DB \{\s+pigReadings: PigReadings;\s+\}/);
  await writeFile(file, text.replace("readOn: string", "readOn: number"));
  expect(await generatedTypesDiffer(empty.url, file)).toBe(true);
});

test("the committed types are those of the migrations", async () => {
  const migrated = await createTestDatabase();
  // The job queue creates its tables when a server starts; they are not part of the types.
  await migrated.database.pool.query("drop schema if exists jobs cascade");
  expect(await generatedTypesDiffer(migrated.url), "run npm run generate").toBe(false);
  await migrated.drop();
});
