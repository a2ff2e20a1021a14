// Processor time of other processes: on a busy machine it tells what a piece of work costs, where its duration tells who else is there.
import { readdir, readFile } from "node:fs/promises";

interface Ticks {
  parent: number;
  own: number;
  /** Of children that ended and were waited for. */
  ended: number;
}

async function ticksOf(id: string): Promise<Ticks | undefined> {
  const text = await readFile(`/proc/${id}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // The name of the program comes first, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const sum = (from: number): number => Number(fields[from]) + Number(fields[from + 1]);
  return { parent: Number(fields[1]), own: sum(11), ended: sum(13) };
}

/** Processor time that a process and its children have taken so far, in microseconds; NaN where it can't be seen. */
export async function processorUs(pid: number | undefined): Promise<number> {
  const own = pid === undefined ? undefined : await ticksOf(String(pid));
  if (own === undefined) return Number.NaN;
  let ticks = own.own + own.ended;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const child = await ticksOf(name);
    if (child !== undefined && child.parent === pid) ticks += child.own;
  }
  // A tick of /proc is a hundredth of a second on every Linux.
  return ticks * 10_000;
}

/** Of the server that `startEmbeddedPostgres` started. @param directory that it was given */
export const postgresPid = async (directory: string): Promise<number | undefined> => {
  const text = await readFile(`${directory}/postgres/postmaster.pid`, "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return Number.isNaN(pid) ? undefined : pid;
};
