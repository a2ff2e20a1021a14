import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createPlaces } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { type RawRow, type SheetFault, sheetLimits, startsLikeFormula } from "./sheet-limits.ts";

/** A row of a sheet by the names in its header. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly rowNumber: number;
  /** Texts by column; a column in which the row has nothing is left out. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A sheet that is being read. */
export interface OpenSheet extends AsyncDisposable {
  /** Names of the columns from left to right. */
  readonly headers: readonly string[];
  /** Number of the row that holds them. */
  readonly headerRow: number;
  /** The rows below the header, once. Stopping early ends the reading. */
  readonly rows: AsyncIterable<SheetRow>;
}

export interface ReadOptions {
  /** Rows below the header; more are refused. At most, and unless it is said, 50,000. */
  readonly maxRows?: number;
}

type Message = { rows: RawRow[] } | { end: true } | { fault: SheetFault } | { error: Error };

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

const refusalOf = (fault: SheetFault, values: Record<string, string | number> = {}) => {
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

/** A text that `writeSheet` guarded against being taken for a formula, as it was before; a carriage return is a line end by now. */
const unguarded = (text: string): string =>
  text.startsWith("'") && startsLikeFormula(text.slice(1)) ? text.slice(1) : text;

/**
 * The rows of the first sheet of an xls or xlsx file, in batches, read in a process of its own with limits of time and memory.
 * @throws {Refusal} 400 when it can't be read or is too large
 */
export async function* readRaw(path: string): AsyncGenerator<RawRow[], void, undefined> {
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
      yield message.rows;
      // One that ended meanwhile is told by its exit.
      child.send(true, () => undefined);
    }
  } finally {
    child.kill("SIGKILL");
    giveBack();
  }
}

/**
 * Opens the first sheet of an xls or xlsx file. Its first row with anything in it names the columns; columns without a name
 * are left out, and so are rows without anything in them. Take it with `await using`: whoever refuses it before its last row would
 * else hold one of the two places in which sheets are read.
 * @throws {Refusal} 400 here or while the rows are read: it can't be read, is too large, or two columns have the same name
 */
export async function readSheet(path: string, { maxRows = sheetLimits.maxRows }: ReadOptions = {}): Promise<OpenSheet> {
  const batches = readRaw(path);
  const { value: first } = await batches.next();
  const [header, ...rest] = first ?? [];
  if (header === undefined) {
    await batches.return(undefined);
    throw refusalOf("empty");
  }
  const headers = header.texts.map((text) => text.replace(/\s+/g, " "));
  const twice = headers.find((name, index) => name !== "" && headers.indexOf(name) !== index);
  if (twice !== undefined) {
    await batches.return(undefined);
    throw refusalOf("duplicate_header", { header: twice });
  }
  const rowOf = ({ rowNumber, texts }: RawRow): SheetRow => {
    // Names are a sender's choice: on an ordinary object "constructor" would be there before anybody wrote it.
    const cells: Record<string, string> = Object.create(null);
    texts.forEach((text, column) => {
      const name = headers[column];
      if (text !== "" && name) cells[name] = unguarded(text);
    });
    return { rowNumber, cells };
  };
  async function* rows(): AsyncGenerator<SheetRow> {
    let count = 0;
    try {
      for (let batch: RawRow[] = rest; ; ) {
        for (const row of batch) {
          count += 1;
          if (count > maxRows) throw refusalOf("too_many_rows", { max: maxRows });
          yield rowOf(row);
        }
        const next = await batches.next();
        if (next.done) return;
        batch = next.value;
      }
    } finally {
      await batches.return(undefined);
    }
  }
  return {
    headers: headers.filter((name) => name !== ""),
    headerRow: header.rowNumber,
    rows: rows(),
    [Symbol.asyncDispose]: async () => void (await batches.return(undefined)),
  };
}
