import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyPostgres } from "./postgres-binaries.ts";

let folder: string;
let source: { root: string; packageVersion: string };
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-copy-"));
  await mkdir(join(folder, "source", "bin"), { recursive: true });
  await writeFile(join(folder, "source", "bin", "postgres"), "real");
  source = { root: join(folder, "source"), packageVersion: "18.4.0" };
  target = join(folder, "place", "herdwise-postgres-18.4.0");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const programOf = (copy: string): Promise<string> => readFile(join(copy, "bin", "postgres"), "utf8");

test("copies once per version, whole, closed to writers", async () => {
  const copies = await Promise.all([1, 2, 3].map(() => copyPostgres(source, [dirname(target)])));
  expect(copies).toEqual([target, target, target]);
  expect(await programOf(target)).toBe("real");
  expect((await stat(target)).mode & 0o777).toBe(0o755);
});

test("a folder that others may write to is not run either, and the next place is tried when one is not writable", async () => {
  await mkdir(join(target, "bin"), { recursive: true });
  await chmod(target, 0o777);
  expect(await copyPostgres(source, [dirname(target)])).not.toBe(target);
  await writeFile(join(folder, "file"), "");
  expect(await copyPostgres(source, [join(folder, "file"), join(folder, "other")])).toContain(join(folder, "other"));
});
