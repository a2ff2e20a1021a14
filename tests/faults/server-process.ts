import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serverFlags, serverMemory } from "../../scripts/prepare.mjs";
import { onThisMachine } from "../harness/time-limit.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readyLimitMs = 30_000;

/** A running server of its own process. */
export interface ServerProcess {
  readonly pid: number;
  readonly httpPort: number;
  readonly mqttPort: number;
  /** From the start of the process to the line that says it is ready, in ms. */
  readonly readyMs: number;
  /** Everything that the process wrote so far. */
  output(): string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Waits for its end. @returns its exit code */
  exited(): Promise<number | null>;
  /** Asks it to stop. @returns its exit code */
  stop(): Promise<number | null>;
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Memory of a process that lies in the machine's, in megabytes. */
export const residentMegabytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]).toString()) / 1024;

/**
 * Starts apps/server/src/main.ts with demo data, without the simulator, and waits until it is ready. Ports are free ones
 * unless `environment` names them.
 * @param checkout of the version that is started; this one by default
 * @param killed ends the process at once, ready or not
 * @throws when it ends or is not ready within 30 s, on an idle machine; the message carries its output
 */
export async function startServerProcess(
  environment: Record<string, string>,
  { checkout = root, killed }: { checkout?: string; killed?: AbortSignal } = {},
): Promise<ServerProcess> {
  const begun = performance.now();
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [...serverFlags, join(checkout, "apps", "server", "src", "main.ts")], {
    cwd: checkout,
    ...(killed && { signal: killed, killSignal: "SIGKILL" }),
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...(PATH && { PATH }),
      ...(TMPDIR && { TMPDIR }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...serverMemory,
      HOST: "127.0.0.1",
      PORT: "0",
      MQTT_PORT: "0",
      DEMO: "on",
      SIMULATOR: "off",
      // Half a minute of work in the background, beside which nothing can be measured.
      DEMO_DOCUMENTS: "off",
      LOG_LEVEL: "warn",
      // With an address of its own the server starts no stand-in for the mall, which would outlive a server that is killed.
      MALL_URL: "http://127.0.0.1:9",
      ...environment,
    },
  });
  let output = "";
  const { httpPort, mqttPort } = await new Promise<{ httpPort: number; mqttPort: number }>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the server was not ready in time:\n${output}`));
    }, onThisMachine(readyLimitMs));
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const http = /Herdwise 慧牧\s+http:\/\/[^:\s]+:(\d+)/.exec(output)?.[1];
      const mqtt = /MQTT\s+mqtt:\/\/[^:\s]+:(\d+)/.exec(output)?.[1];
      if (http === undefined || mqtt === undefined || !output.includes("\n\n", output.indexOf("mqtt://"))) return;
      clearTimeout(limit);
      resolve({ httpPort: Number(http), mqttPort: Number(mqtt) });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      reject(new Error(`the server ended with ${code ?? signal}:\n${output}`));
    });
  });
  return {
    pid: child.pid as number,
    httpPort,
    mqttPort,
    readyMs: performance.now() - begun,
    output: () => output,
    async kill() {
      child.kill("SIGKILL");
      await exited(child);
    },
    async exited() {
      await exited(child);
      return child.exitCode;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited(child);
      return child.exitCode;
    },
  };
}
