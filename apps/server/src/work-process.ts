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
  readonly limitMs?: number;
  /** The process waits this long for the next piece of work before it ends, with the memory that it holds. */
  readonly idleMs?: number;
  /** Of its JavaScript heap. */
  readonly memoryMb?: number;
}

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
  // It holds no server up that stops.
  child.unref();
  child.channel?.unref();
  // Whoever asks is told; between two pieces of work nobody is.
  child.on("error", () => undefined);
  return child;
}

/**
 * Work that must neither hold the server's other work up nor leave its memory behind, in a process of its own, one piece at a time.
 * One that runs out of memory ends alone, where a thread may take the server with it.
 * @returns asks the process. It throws when the work takes too long or fails
 */
export function createWorkProcess<Input, Answer>({
  module,
  work,
  limitMs = 60_000,
  idleMs = 10_000,
  memoryMb = 256,
}: WorkProcessOptions): (input: Input) => Promise<Answer> {
  const inTurn = createGate(1);
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };

  return (input) =>
    inTurn(async () => {
      clearTimeout(idle);
      // One that has ended between two pieces of work is replaced.
      if (child?.connected !== true) child = begin(module, memoryMb);
      const asked = child;
      // While it works, whoever waits for the answer is waited for.
      asked.ref();
      asked.channel?.ref();
      const { promise, resolve, reject } = Promise.withResolvers<Said<Answer>>();
      const fail = () => reject(new Error(`${work} ended without an answer`));
      const limit = setTimeout(() => {
        end();
        reject(new Error(`${work} took too long`));
      }, limitMs);
      asked.on("message", resolve);
      asked.on("error", reject);
      asked.on("exit", fail);
      try {
        asked.send(input as object, (error) => error !== null && reject(error));
        const said = await promise;
        if ("problem" in said) throw new Error(said.problem);
        return said.answer;
      } finally {
        clearTimeout(limit);
        asked.off("message", resolve);
        asked.off("error", reject);
        asked.off("exit", fail);
        asked.unref();
        asked.channel?.unref();
        idle = setTimeout(end, idleMs);
        idle.unref();
      }
    });
}
