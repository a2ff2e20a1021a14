import { execFileSync } from "node:child_process";

/** Processes of this one that run a module of `createWorkProcess`, with the memory that each holds, in megabytes. */
export function workProcesses(module: string): { pid: number; residentMb: number }[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,args="]).toString().trim().split("\n");
  return all.flatMap((line) => {
    const [pid, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
    return parent === process.pid && line.includes(module)
      ? [{ pid: Number(pid), residentMb: Number(kilobytes) / 1024 }]
      : [];
  });
}
