import { createWorkProcess } from "../../work-process.ts";
import type { PaperInput } from "./contract-pdf.ts";

export type WritePaper = (input: PaperInput) => Promise<{ bytes: Buffer; pages: number }>;

/** One at a time: a batch must leave room for others. */
const ask = createWorkProcess<PaperInput, { bytes: Uint8Array; pages: number }>({
  module: new URL("./contract-pdf-process.ts", import.meta.url),
  work: "writing a contract",
});

/** Writes the file of a contract in a process of its own. @throws when it takes too long or fails */
export const writePaper: WritePaper = async (input) => {
  const { bytes, pages } = await ask(input);
  return { bytes: Buffer.from(bytes), pages };
};
