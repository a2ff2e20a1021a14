import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createPlaces } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { type RawRow, type SheetFault, type SheetStart, sheetLimits } from "./sheet-limits.ts";

type Message = { starts: SheetStart[] } | { rows: RawRow[] } | { end: true } | { fault: SheetFault } | { error: Error };

const program = fileURLToPath(new URL("./sheet-process.ts", import.meta.url));
/**
 * A process, because one that runs out of memory ends alone: a thread that does so may take the server with it. It may read files
 * and nothing else.
 */
export const programFlags = [
  `--max-old-space-size=${sheetLimits.memoryMb}`,
  "--max-semi-space-size=16",
  "--permission",
  "--allow-fs-read=*",
];

/** Two sheets are read at a time; more wait. */
const takePlace = createPlaces(2);

/** The refusal of a file for what stands against it. */
export const refusalOf = (fault: SheetFault, values: Record<string, string | number> = {}) => {
  switch (fault) {
    case "too_many_rows":
      return refuse("sheet.too_many_rows", { values });
    case "too_many_columns":
      return refuse("sheet.too_many_columns", { values: { max: sheetLimits.maxColumns } });
    case "duplicate_header":
      return refuse("sheet.duplicate_header", { values });
    default:
      return refuse(`sheet.${fault}`);
  }
};

/**
 * The rows of a sheet of a file, from its first, in batches, read in a process of its own with limits of time and memory.
 * @param choose answers which of the sheets, from 0, is read
 * @throws {Refusal} 400 when it can't be read or is too large
 */
export async function* readRaw(
  path: string,
  choose: (starts: readonly SheetStart[]) => number,
): AsyncGenerator<RawRow[], void, undefined> {
  const giveBack = await takePlace();
  const child = fork(program, [path], {
    execArgv: programFlags,
    // Nothing of the server's environment, and nothing it prints.
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  const put = (message: Message) => {
    messages.push(message);
    wake();
  };
  child.on("message", put);
  child.on("error", (error) => put({ error }));
  // Its end may be known before its last message is: both the process and what it said must be over.
  let fault: SheetFault | undefined;
  const over = (known: SheetFault | undefined): void => {
    if (fault !== undefined) put({ fault: known ?? fault });
    fault = known ?? "unreadable";
  };
  child.on("disconnect", () => over(undefined));
  // V8 aborts a process whose heap is full.
  child.on("exit", (_code, signal) => over(signal === "SIGABRT" ? "too_large" : undefined));
  // Only the process's own time counts: the caller may take as long as it likes for the rows.
  let leftMs: number = sheetLimits.timeMs;
  const next = async (): Promise<Message> => {
    const begun = performance.now();
    while (messages.length === 0) {
      const remaining = leftMs - (performance.now() - begun);
      if (remaining <= 0) return { fault: "too_slow" };
      let limit: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        limit = setTimeout(resolve, remaining);
      });
      clearTimeout(limit);
    }
    leftMs -= performance.now() - begun;
    return messages.shift() as Message;
  };
  try {
    for (;;) {
      const message = await next();
      if ("end" in message) return;
      if ("error" in message) throw message.error;
      if ("fault" in message) throw refusalOf(message.fault);
      if ("rows" in message) yield message.rows;
      // One that ended meanwhile is told by its exit.
      child.send("starts" in message ? choose(message.starts) : true, () => undefined);
    }
  } finally {
    child.kill("SIGKILL");
    giveBack();
  }
}
