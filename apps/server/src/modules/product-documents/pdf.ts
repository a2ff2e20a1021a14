import { createWorkProcess } from "../../work-process.ts";
import type { ProductPaper } from "./paper.ts";

export type PdfWork =
  | { what: "write"; paper: ProductPaper }
  | { what: "look"; bytes: Uint8Array }
  /** @property width of the picture, in pixels @property page from 1 */
  | { what: "draw"; bytes: Uint8Array; page: number; width: number };
export type PdfAnswer =
  | { what: "write"; bytes: Uint8Array; pages: number }
  | { what: "look"; pages: number; words: string }
  | { what: "draw"; picture: Uint8Array };

const ask = createWorkProcess<PdfWork, PdfAnswer>({
  module: new URL("./pdf-process.ts", import.meta.url),
  work: "a PDF",
  limitMs: 30_000,
  memoryMb: 512,
});

/** Answers come in the form of the question; the compiler can't know that of a process. */
async function asked<What extends PdfWork["what"]>(work: PdfWork & { what: What }) {
  const answer = await ask(work);
  if (answer.what !== work.what) throw new Error(`a PDF was to be ${work.what}, and was not`);
  return answer as Extract<PdfAnswer, { what: What }>;
}

/** Writes a document about a product. */
export const writePdf = (paper: ProductPaper) => asked({ what: "write", paper });
/** Counts pages and reads the words. @throws for what is no PDF, is broken, or opens with a password only */
export const lookAtPdf = (bytes: Uint8Array) => asked({ what: "look", bytes });
/** Draws a page as a PNG. */
export const drawPdfPage = (bytes: Uint8Array, page: number, width: number) =>
  asked({ what: "draw", bytes, page, width });
