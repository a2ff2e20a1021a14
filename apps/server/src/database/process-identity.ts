import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Fields of /proc/<pid>/stat after the command name, which may itself hold spaces and brackets. */
function linuxStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** The id that Linux draws at each boot; empty elsewhere. */
export function bootId(): string {
  if (process.platform !== "linux") return "";
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}

/**
 * Names the set of processes in which a pid means what it means here: within one host, boot and pid namespace.
 * A pid read from a file of another container says nothing about this one's processes.
 */
export function pidSpace(): string {
  if (process.platform !== "linux") return hostname();
  return `${hostname()} ${bootId()} ${readlinkSync("/proc/self/ns/pid")}`;
}

/** Whether a process with this pid exists and still runs; a zombie that nobody has reaped counts as gone. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  const state = linuxStat(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/**
 * When a process started, as an opaque text, so that a reused pid is not taken for its former owner.
 * Undefined when the process is gone or the system has no cheap answer (Windows).
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
