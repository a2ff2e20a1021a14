import { readFile } from "node:fs/promises";

/** The first line of a file: what stands on a command line can be read by everybody on the machine. */
export async function readPassphrase(path: string): Promise<string> {
  return (await readFile(path, "utf8")).split(/\r?\n/, 1)[0] ?? "";
}
