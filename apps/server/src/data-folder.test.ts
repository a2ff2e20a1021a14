import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "./config.ts";
import { makeDataFolder } from "./data-folder.ts";

let parent: string;
let umask: number;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "herdwise-folder-"));
  umask = process.umask(0o077);
});
afterEach(async () => {
  process.umask(umask);
  await rm(parent, { recursive: true, force: true });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("a new folder is closed to others; as root PostgreSQL's own user passes through, whatever the umask", async () => {
  const isRoot = process.getuid?.() === 0;
  await makeDataFolder(join(parent, "above", "data"));
  expect(await modeOf(join(parent, "above", "data"))).toBe(isRoot ? "711" : "700");
  expect(await modeOf(join(parent, "above"))).toBe(isRoot ? "755" : "700");
});

test("a folder that is there keeps its mode", async () => {
  await mkdir(join(parent, "data"));
  await chmod(join(parent, "data"), 0o750);
  await makeDataFolder(join(parent, "data"));
  expect(await modeOf(join(parent, "data"))).toBe("750");
});

test("a folder that can't be made is told by the name of its setting", async () => {
  await writeFile(join(parent, "file"), "");
  const made = makeDataFolder(join(parent, "file", "data"));
  await expect(made).rejects.toThrow(ConfigError);
  await expect(made).rejects.toThrow(/DATA_DIR is ".*data", which can't be made or written here \(ENOTDIR\)/);
});
