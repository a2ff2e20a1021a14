import { type ChildProcess, spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import type { DB } from "./database/generated/database.ts";
import { demoFleet } from "./database/seeds/fleet.ts";
import { endProcess } from "./end-process.ts";

const entry = fileURLToPath(new URL("../../simulator/src/main.ts", import.meta.url));
/** A simulator that fails is started again, but not in a tight loop. */
const restartMs = 5000;

export interface SimulatorDependencies {
  db: Kysely<DB>;
  log: FastifyBaseLogger;
  dataDir: string;
  mqttUrl: string;
}

/** Runs the virtual fleet as a process of its own: it speaks to the server as devices do, and nothing else. */
export async function startSimulator({
  db,
  log,
  dataDir,
  mqttUrl,
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
        entry,
        "--fleet",
        fleetPath,
        "--mqtt",
        mqttUrl,
        "--state",
        join(dataDir, "simulator-state.json"),
        "--while-stdin",
      ],
      // The pipe to its standard input ends with this process, however that ends, and then the simulator ends, too.
      { stdio: ["pipe", "pipe", "pipe"], detached: true },
    );
    child = started;
    started.stdout.setEncoding("utf8").on("data", (text: string) => log.info({ simulator: text.trim() }, "simulator"));
    started.stderr.setEncoding("utf8").on("data", (text: string) => log.warn({ simulator: text.trim() }, "simulator"));
    started.on("exit", (code) => {
      if (stopped) return;
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
