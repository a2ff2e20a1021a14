import type { ChildProcess } from "node:child_process";

/** Ends a process that this server started, by force when it does not go within the limit. Returns at once when it is gone. */
export async function endProcess(child: ChildProcess, limitMs = 3000): Promise<void> {
  // One that a signal ended has no exit code.
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), limitMs);
  await ended;
  clearTimeout(force);
}
