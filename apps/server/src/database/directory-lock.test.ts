import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { volume } from "../../../../tests/harness/volume.ts";
import { acquireDirectoryLock, DirectoryInUseError } from "./directory-lock.ts";

const moduleUrl = new URL("./directory-lock.ts", import.meta.url).href;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herdwise-lock-"));
  path = join(folder, "server.lock");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a process that takes the lock, reports it, and then runs `after`.
 * @returns its output
 */
async function inProcess(after: string): Promise<string> {
  const code = `
    const { acquireDirectoryLock } = await import(${JSON.stringify(moduleUrl)});
    try { await acquireDirectoryLock(${JSON.stringify(path)}); console.log('held'); }
    catch (error) { console.log(error.name); process.exit(0); }
    ${after}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, "close");
  return output.trim();
}

const dieWithLock = `process.kill(process.pid, 'SIGKILL');`;

test("is refused while held, free after release, and a second release takes nothing from the next owner", async () => {
  const first = await acquireDirectoryLock(path);
  await expect(acquireDirectoryLock(path)).rejects.toThrow(DirectoryInUseError);
  first.release();
  const second = await acquireDirectoryLock(path);
  first.release();
  expect(existsSync(path)).toBe(true);
  second.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("the lock of a killed process clears; of 6 that start on it together exactly one wins", async () => {
  for (let round = 0; round < volume({ short: 1, long: 10 }); round += 1) {
    expect(await inProcess(dieWithLock)).toBe("held");
    expect(existsSync(path)).toBe(true);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => inProcess("setTimeout(() => process.exit(0), 3000);")),
    );
    expect(results.filter((result) => result === "held")).toHaveLength(1);
    expect(results.filter((result) => result === "DirectoryInUseError")).toHaveLength(5);
  }
});

test("a reused pid is not its former owner", async () => {
  const held = await acquireDirectoryLock(path);
  const owner = JSON.parse(readFileSync(path, "utf8")) as object;
  held.release();
  writeFileSync(path, JSON.stringify({ ...owner, startMark: "1", token: "former" }));
  (await acquireDirectoryLock(path)).release();
});

test("a lock of another container counts as held while it is touched, and as dead after 10 s of silence", async () => {
  const held = await acquireDirectoryLock(path);
  const owner = JSON.parse(readFileSync(path, "utf8")) as { space: string };
  held.release();
  writeFileSync(path, JSON.stringify({ ...owner, space: "elsewhere x pid:[1]", token: "foreign" }));
  await expect(acquireDirectoryLock(path)).rejects.toThrow("another container or machine (elsewhere");
  const old = new Date(Date.now() - 11_000);
  utimesSync(path, old, old);
  (await acquireDirectoryLock(path)).release();
});

test("a damaged lock file is reported, never removed", async () => {
  writeFileSync(path, "not ours");
  await expect(acquireDirectoryLock(path)).rejects.toThrow("is not a lock file of this program");
  expect(readFileSync(path, "utf8")).toBe("not ours");
});
