import { Worker } from "node:worker_threads";
import { refuse } from "../../http/errors.ts";
import { type RawRow, type SheetFault, sheetLimits } from "./sheet-limits.ts";

/** A row of a sheet by the names in its header. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly rowNumber: number;
  /** Texts by column; a column in which the row has nothing is left out. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A sheet that is being read. */
export interface OpenSheet {
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

type Message = { rows: RawRow[] } | { end: true } | { fault: SheetFault };

/** Sheets that are read at a time; more wait. */
const readAtOnce = 2;
let reading = 0;
const waiting: (() => void)[] = [];

async function enter(): Promise<void> {
  if (reading < readAtOnce) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}
function leave(): void {
  const next = waiting.shift();
  if (next === undefined) reading -= 1;
  else next();
}

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
const unguarded = (text: string): string => (/^'[=+\-@\t\n]/.test(text) ? text.slice(1) : text);

/**
 * The rows of the first sheet of an xls or xlsx file, in batches, read in a thread with limits of time and memory.
 * @throws {Refusal} 400 when it can't be read or is too large
 */
export async function* readRaw(path: string): AsyncGenerator<RawRow[], void, undefined> {
  await enter();
  const worker = new Worker(new URL("./sheet-thread.ts", import.meta.url), {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: sheetLimits.memoryMb, maxYoungGenerationSizeMb: 32 },
    // Nothing of the server's environment, and nothing it prints.
    env: {},
    stdout: true,
    stderr: true,
  });
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  const put = (message: Message) => {
    messages.push(message);
    wake();
  };
  worker.on("message", put);
  worker.on("error", (error: NodeJS.ErrnoException) =>
    put({ fault: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "too_large" : "unreadable" }),
  );
  worker.on("exit", () => put({ fault: "unreadable" }));
  // Only the thread's own time counts: the caller may take as long as it likes for the rows.
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
      if ("fault" in message) throw refusalOf(message.fault);
      yield message.rows;
      worker.postMessage(true);
    }
  } finally {
    await worker.terminate();
    leave();
  }
}

/**
 * Opens the first sheet of an xls or xlsx file. Its first row with anything in it names the columns; columns without a name
 * are left out, and so are rows without anything in them.
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
  return { headers: headers.filter((name) => name !== ""), headerRow: header.rowNumber, rows: rows() };
}
