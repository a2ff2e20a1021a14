import { type ChildProcess, spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import type { DB } from "./database/generated/database.ts";
import { demoFleet } from "./database/seeds/fleet.ts";
import { endProcess } from "./end-process.ts";
import type { SimulatorControl } from "./modules/simulator/index.ts";

const entry = fileURLToPath(new URL("../../simulator/src/main.ts", import.meta.url));
/** A simulator that fails is started again, but not in a tight loop. */
const restartMs = 5000;
/**
 * A fleet that waits for its next minute holds little; by itself V8 lets garbage grow to several times that before it looks. Most
 * of what the back-fill makes dies young, for which a small space does.
 */
const memoryFlags = [
  "--max-semi-space-size=1",
  "--heap-growing-percent=10",
  "--optimize-for-size",
  "--single-threaded",
];
/** Exit code of a command line that makes no sense: it would make none the next time. */
const wrongWords = 2;

export interface SimulatorDependencies {
  db: Kysely<DB>;
  log: FastifyBaseLogger;
  dataDir: string;
  mqttUrl: string;
  control: SimulatorControl;
  /** Further words of its command line: `--scenario`, `--speed`. */
  words: readonly string[];
}

/** Runs the virtual fleet as a process of its own: it speaks to the server as devices do, and nothing else. */
export async function startSimulator({
  db,
  log,
  dataDir,
  mqttUrl,
  control,
  words,
}: SimulatorDependencies): Promise<{ stop(): Promise<void> }> {
  const fleetPath = join(dataDir, "fleet.json");
  // It holds the devices' access tokens; of a file that is there the mode would stay.
  await rm(fleetPath, { force: true });
  await writeFile(fleetPath, JSON.stringify(await demoFleet(db)), { mode: 0o600 });
  let stopped = false;
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;

  const run = () => {
    const started = spawn(
      process.execPath,
      [
        ...memoryFlags,
        entry,
        "--fleet",
        fleetPath,
        "--mqtt",
        mqttUrl,
        "--state",
        join(dataDir, "simulator-state.json"),
        "--while-stdin",
        ...words,
      ],
      // The pipe to its standard input ends with this process, however that ends, and then the simulator ends, too.
      { stdio: ["pipe", "pipe", "pipe"], detached: true },
    );
    child = started;
    control.attach((line) => started.stdin.write(`${line}\n`));
    // A simulator that has just ended does not read any more.
    started.stdin.on("error", (error) => log.warn({ err: error }, "the simulator can't be reached"));
    createInterface({ input: started.stdout }).on("line", (line) => {
      if (!control.take(line)) log.info({ simulator: line.trim() }, "simulator");
    });
    started.stderr.setEncoding("utf8").on("data", (text: string) => log.warn({ simulator: text.trim() }, "simulator"));
    started.on("exit", (code) => {
      control.detach();
      if (stopped) return;
      if (code === wrongWords) {
        log.error("the simulator was started with words that it does not know, and stays away");
        return;
      }
      log.warn({ code }, "the simulator ended and is started again");
      restart = setTimeout(run, restartMs);
    });
  };
  run();

  return {
    async stop() {
      stopped = true;
      clearTimeout(restart);
      if (child !== undefined) await endProcess(child);
    },
  };
}
