import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { endProcess } from "./end-process.ts";

const entry = fileURLToPath(new URL("../../mall-sandbox/src/main.ts", import.meta.url));
const startLimitMs = 10_000;

/** Runs the stand-in for the mall, so that the demo's mall links lead somewhere. @returns its port */
export async function startMallSandbox(
  portal: string,
  host: string,
  secret: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [entry, "--portal", portal, "--host", host], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  // Left open: its end tells the sandbox that this server is gone.
  child.stdin.write(`${secret}\n`);
  child.stdout.setEncoding("utf8");
  const [line] = (await once(child.stdout, "data", { signal: AbortSignal.timeout(startLimitMs) })) as [string];
  return {
    port: Number(/port (\d+)/.exec(line)?.[1]),
    stop: () => endProcess(child),
  };
}
