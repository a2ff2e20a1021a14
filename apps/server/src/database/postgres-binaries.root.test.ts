import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyPostgres } from "./postgres-binaries.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-copy-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a folder that another user planted under the copy's name is not run", async () => {
  const source = { root: join(folder, "source"), packageVersion: "18.4.0" };
  const target = join(folder, "place", "herdwise-postgres-18.4.0");
  for (const [root, program] of [
    [source.root, "real"],
    [target, "planted"],
  ] as const) {
    await mkdir(join(root, "bin"), { recursive: true });
    await writeFile(join(root, "bin", "postgres"), program);
  }
  await chown(target, 65_534, 65_534);
  const copy = await copyPostgres(source, [dirname(target)]);
  expect(copy).not.toBe(target);
  expect(await readFile(join(copy, "bin", "postgres"), "utf8")).toBe("real");
});
