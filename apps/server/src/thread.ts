import { Worker } from "node:worker_threads";
import { createGate } from "./gate.ts";

export interface ThreadOptions {
  /** Module that the thread runs: it answers each message with `{ answer }` or `{ problem }`. */
  readonly module: URL;
  /** What it does, for the message of a failure. */
  readonly work: string;
  readonly limitMs?: number;
  /** The thread waits this long for the next piece of work before it ends, with what it holds. */
  readonly idleMs?: number;
  readonly memoryMb?: number;
}

type Said<Answer> = { answer: Answer } | { problem: string };

/**
 * Work that must not hold the server's other work up, in a thread of its own, one piece at a time.
 * @returns asks the thread. It throws when the work takes too long or fails
 */
export function createThread<Input, Answer>({
  module,
  work,
  limitMs = 60_000,
  idleMs = 10_000,
  memoryMb = 256,
}: ThreadOptions): (input: Input) => Promise<Answer> {
  const inTurn = createGate(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  const begin = (): Worker => {
    clearTimeout(idle);
    if (thread === undefined) {
      const begun = new Worker(module, { env: {}, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
      // It holds no server up that stops.
      begun.unref();
      begun.once("exit", () => {
        if (thread === begun) thread = undefined;
      });
      thread = begun;
    }
    return thread;
  };

  return (input) =>
    inTurn(async () => {
      const worker = begin();
      // While it works, whoever waits for the answer is waited for.
      worker.ref();
      const done = new AbortController();
      try {
        const said = await new Promise<Said<Answer>>((resolve, reject) => {
          const limit = setTimeout(() => {
            end();
            reject(new Error(`${work} took too long`));
          }, limitMs);
          const fail = (error: unknown) =>
            reject(error instanceof Error ? error : new Error(`${work} ended without an answer`));
          worker.on("message", resolve);
          worker.on("error", fail);
          worker.on("exit", fail);
          done.signal.addEventListener("abort", () => {
            clearTimeout(limit);
            worker.off("message", resolve);
            worker.off("error", fail);
            worker.off("exit", fail);
          });
          worker.postMessage(input);
        });
        if ("problem" in said) throw new Error(said.problem);
        return said.answer;
      } finally {
        done.abort();
        worker.unref();
        idle = setTimeout(end, idleMs);
        idle.unref();
      }
    });
}
