import { Worker } from "node:worker_threads";
import { createGate } from "../../gate.ts";
import type { PaperInput } from "./contract-pdf.ts";

export type WritePaper = (input: PaperInput) => Promise<{ bytes: Buffer; pages: number }>;

/** One at a time: a batch must leave room for others. */
const inTurn = createGate(1);
const limitMs = 60_000;
/** The thread waits this long for the next one before it ends, with the fonts that it holds. */
const idleMs = 10_000;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

function end(): void {
  void thread?.terminate();
  thread = undefined;
}

function begin(): Worker {
  clearTimeout(idle);
  if (thread === undefined) {
    const begun = new Worker(new URL("./contract-pdf-thread.ts", import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    // It holds no server up that stops.
    begun.unref();
    begun.once("exit", () => {
      if (thread === begun) thread = undefined;
    });
    thread = begun;
  }
  return thread;
}

type Written = { bytes: Uint8Array; pages: number } | { problem: string };

/** Writes the file of a contract in a thread of its own. @throws when it takes too long or fails */
export const writePaper: WritePaper = (input) =>
  inTurn(async () => {
    const writer = begin();
    // While it writes, whoever waits for the file is waited for.
    writer.ref();
    const done = new AbortController();
    try {
      const written = await new Promise<Written>((resolve, reject) => {
        const limit = setTimeout(() => {
          end();
          reject(new Error("writing a contract took too long"));
        }, limitMs);
        const fail = (error: unknown) =>
          reject(error instanceof Error ? error : new Error("a contract was not written"));
        writer.on("message", resolve);
        writer.on("error", fail);
        writer.on("exit", fail);
        done.signal.addEventListener("abort", () => {
          clearTimeout(limit);
          writer.off("message", resolve);
          writer.off("error", fail);
          writer.off("exit", fail);
        });
        writer.postMessage(input);
      });
      if ("problem" in written) throw new Error(written.problem);
      return { bytes: Buffer.from(written.bytes), pages: written.pages };
    } finally {
      done.abort();
      writer.unref();
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  });
