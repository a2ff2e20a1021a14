import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { node, root, serverFlags } from "../../scripts/prepare.mjs";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";

const unitFile = fileURLToPath(new URL("../../deploy/herdwise.service", import.meta.url));

let folder: string;
let held: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-serve-"));
  held = await createEmptyDatabase();
});
afterAll(async () => {
  await held.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The server as the command starts it; the built pages do not matter here. */
const serve = (more: Record<string, string>, words: string[] = []) =>
  spawn(process.execPath, [...serverFlags, join(root, "apps", "server", "src", "cli", "serve.ts"), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH ?? "",
      DATABASE_URL: held.url,
      DATA_DIR: join(folder, "data"),
      HOST: "127.0.0.1",
      PORT: "0",
      MQTT_PORT: "0",
      LOG_LEVEL: "warn",
      PUBLIC_URL: "https://herdwise.invalid",
      ...more,
    },
  });

async function run(more: Record<string, string>, words: string[] = []) {
  const child = serve(more, words);
  let output = "";
  const ready = new Promise<boolean>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/MQTT\s+mqtt:/.test(output)) resolve(true);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => resolve(false));
  });
  const started = await ready;
  if (started) child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  return { started, output, code: child.exitCode };
}

test.each([
  ["the demo", { DEMO: "on", SIMULATOR: "off" }, /settings\.demo: .*--with-demo$/ms],
  [
    "a key of an example",
    { SECRET_KEY: "change-me-change-me-change-me-change-me" },
    /SECRET_KEY.*--with-weak-secrets$/ms,
  ],
  ["a token that is guessed", { METRICS_TOKEN: "aaaaaaaa" }, /METRICS_TOKEN.*--with-weak-secrets$/ms],
  ["a mistake", { PORT: "eighty" }, /PORT is "eighty"/],
])("does not start with %s", async (_what, more, says) => {
  const { started, output, code } = await run(more);
  expect({ started, code }).toEqual({ started: false, code: 1 });
  expect(output.trim()).toMatch(says);
});

test("starts with what is sound, warns of what is missing, and stops cleanly", async () => {
  const { started, output, code } = await run({ PUBLIC_URL: "" });
  expect(output).toMatch(/settings\.public_url: PUBLIC_URL is not set/);
  expect({ started, code }).toEqual({ started: true, code: 0 });
  expect(output).not.toContain("Demo accounts");
});

test("starts with a weak secret where it is told to", async () => {
  const { started } = await run({ METRICS_TOKEN: "aaaaaaaa" }, ["--with-weak-secrets"]);
  expect(started).toBe(true);
});

/** Lines of a unit file by their names. */
function unitOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), value ?? ""]);
  }
  return found;
}

test("the unit of systemd calls the command, as a user without rights", () => {
  const unit = unitOf(readFileSync(unitFile, "utf8"));
  const [command = ""] = unit.get("ExecStart") ?? [];
  const [program = "", script = ""] = command.split(" ").map((path) => path.replace("/opt/herdwise/", `${root}`));
  expect(program).toBe(node);
  expect(existsSync(script)).toBe(true);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { serve: string } };
  expect(scripts.serve).toBe(`node ${script.replace(root, "")}`);
  expect(unit.get("EnvironmentFile")).toEqual(["/etc/herdwise.env"]);
  for (const [name, value] of [
    ["User", "herdwise"],
    ["NoNewPrivileges", "yes"],
    ["ProtectSystem", "strict"],
    ["ProtectHome", "yes"],
    ["CapabilityBoundingSet", ""],
    ["KillMode", "mixed"],
    ["UMask", "0077"],
  ])
    expect([name, unit.get(name ?? "")]).toEqual([name, [value]]);
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd takes the unit", async () => {
  // The paths of this machine, as it is about the words of the unit.
  const copy = join(folder, "herdwise.service");
  await writeFile(copy, readFileSync(unitFile, "utf8").replaceAll("/opt/herdwise/", root));
  const { stderr, status } = spawnSync("systemd-analyze", ["verify", copy], { encoding: "utf8" });
  const about = stderr.split("\n").filter((line) => line.includes("herdwise.service"));
  expect(about).toEqual([]);
  expect(status).toBe(0);
  const looser = execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=40", copy], {
    encoding: "utf8",
  });
  expect(looser).toMatch(/Overall exposure level for herdwise\.service: [0-3]\.\d/);
});
