import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Said } from "./answer-work.ts";
import { processEnvironment } from "./config.ts";
import { createGate } from "./gate.ts";

export interface WorkProcessOptions {
  /** Module that the process runs; it calls `answerWork`. */
  readonly module: URL;
  /** What it does, for the message of a failure. */
  readonly work: string;
  /** Pieces of work at a time, each in a process of its own; more wait. */
  readonly atOnce?: number;
  readonly limitMs?: number;
  /** A process waits this long for the next piece of work before it ends, with the memory that it holds. */
  readonly idleMs?: number;
  /** Of its JavaScript heap. */
  readonly memoryMb?: number;
}

/** A process ended, or took too long, over its piece of work. */
export class WorkLost extends Error {}

/** What of the server's environment such a process gets: where fonts and compiled code are, and what a system needs to run it. */
const passedOn = new Set([
  "HOME",
  "LANG",
  "SystemRoot",
  "FONTCONFIG_FILE",
  "FONTCONFIG_PATH",
  "XDG_CACHE_HOME",
  "NODE_COMPILE_CACHE",
  "MALLOC_ARENA_MAX",
]);

function begin(module: URL, memoryMb: number): ChildProcess {
  const env = Object.fromEntries(Object.entries(processEnvironment()).filter(([name]) => passedOn.has(name)));
  const child = fork(fileURLToPath(module), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  // Whoever asks is told; between two pieces of work nobody is.
  child.on("error", () => undefined);
  return child;
}

/** Whether whoever wants to end waits for a process. */
function hold(child: ChildProcess, held: boolean): void {
  for (const one of [child, child.channel]) {
    if (held) one?.ref();
    else one?.unref();
  }
}

/** @throws {WorkLost} when the process ends, or the time is over */
async function answerOf<Answer>(child: ChildProcess, input: unknown, work: string, limitMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Said<Answer>>();
  const ended = () => reject(new WorkLost(`${work} ended without an answer`));
  const limit = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new WorkLost(`${work} took too long`));
  }, limitMs);
  child.on("message", resolve);
  child.on("error", reject);
  child.on("exit", ended);
  try {
    child.send(input as object, (error) => error !== null && reject(error));
    const said = await promise;
    if ("problem" in said) throw new Error(said.problem);
    return said.answer;
  } finally {
    clearTimeout(limit);
    child.off("message", resolve);
    child.off("error", reject);
    child.off("exit", ended);
  }
}

/**
 * Work that must neither hold the server's other work up nor leave its memory behind, in processes of its own. One that runs out of
 * memory or brings a library down ends alone, where a thread may take the server with it.
 * @returns asks a process. It throws `WorkLost` when that ends or takes too long, another error when the work fails
 */
export function createWorkProcess<Input, Answer>({
  module,
  work,
  atOnce = 1,
  limitMs = 60_000,
  idleMs = 10_000,
  memoryMb = 256,
}: WorkProcessOptions): (input: Input) => Promise<Answer> {
  const inTurn = createGate(atOnce);
  const idle: { child: ChildProcess; end: NodeJS.Timeout }[] = [];

  /** One that waits for work, else a new one. */
  const take = (): ChildProcess => {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.end);
      if (last.child.connected) return last.child;
    }
    return begin(module, memoryMb);
  };
  const putBack = (child: ChildProcess): void => {
    if (child.killed || !child.connected) return;
    const end = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.child === child),
        1,
      );
      child.kill("SIGKILL");
    }, idleMs);
    end.unref();
    idle.push({ child, end });
  };

  return (input) =>
    inTurn(async () => {
      const child = take();
      hold(child, true);
      try {
        return await answerOf<Answer>(child, input, work, limitMs);
      } finally {
        hold(child, false);
        putBack(child);
      }
    });
}
