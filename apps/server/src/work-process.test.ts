import { expect, test } from "vitest";
import { createWorkProcess, WorkLost } from "./work-process.ts";

/** A process that does what it is told: answers with its id, fails, ends, or takes all memory. */
const told = (options: { atOnce?: number; limitMs?: number; idleMs?: number; memoryMb?: number } = {}) =>
  createWorkProcess<string, number>({
    module: new URL("./work-process.stand-in.ts", import.meta.url),
    work: "a piece of work",
    ...options,
  });
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("a process answers one piece of work after the other, and ends when it has nothing to do", async () => {
  const ask = told({ idleMs: 200 });
  const [first, second] = await Promise.all([ask("answer"), ask("answer")]);
  expect(first).not.toBe(process.pid);
  expect(second).toBe(first);
  await expect.poll(() => isAlive(first as number)).toBe(false);
  expect(await ask("answer")).not.toBe(first);
});

test("what fails, ends, takes too long or all memory is told, and the next piece of work is done", async () => {
  const ask = told({ limitMs: 20_000, memoryMb: 32 });
  const pid = await ask("answer");
  await expect(ask("fail")).rejects.toThrow("as it was told");
  expect(await ask("answer")).toBe(pid);
  await expect(ask("end")).rejects.toThrow(new WorkLost("a piece of work ended without an answer"));
  await expect(ask("fill")).rejects.toThrow("a piece of work ended without an answer");
  const next = await ask("answer");
  expect(next).not.toBe(pid);

  const hasty = told({ limitMs: 3000 });
  await expect(hasty("hang")).rejects.toThrow(new WorkLost("a piece of work took too long"));
});

test("as many pieces of work as are said are done at once, each in a process of its own", async () => {
  const ask = told({ atOnce: 2 });
  const pids = await Promise.all([ask("answer"), ask("answer"), ask("answer")]);
  expect(new Set(pids).size).toBe(2);
});
