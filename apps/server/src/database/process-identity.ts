import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Fields of /proc/<pid>/stat after the command name, which may itself contain spaces and brackets. */
function linuxStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Random id of the current boot on Linux; empty elsewhere. */
export function bootId(): string {
  if (process.platform !== "linux") return "";
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}

/**
 * Identifies the processes among which a pid is valid: one host, boot and pid namespace.
 * A pid from a file of another container tells nothing about processes here.
 */
export function pidSpace(): string {
  if (process.platform !== "linux") return hostname();
  return `${hostname()} ${bootId()} ${readlinkSync("/proc/self/ns/pid")}`;
}

/** Whether a process with this pid exists and runs; an unreaped zombie counts as ended. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  const state = linuxStat(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/**
 * Start time of a process as an opaque text, so that a reused pid is not taken for the earlier process.
 * Undefined when the process has ended, or the system has no cheap answer (Windows).
 */
export function processStartMark(pid: number): string | undefined {
  if (process.platform === "linux") return linuxStat(pid)?.[19];
  if (process.platform === "win32") return undefined;
  try {
    const mark = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return mark === "" ? undefined : mark;
  } catch {
    return undefined;
  }
}
