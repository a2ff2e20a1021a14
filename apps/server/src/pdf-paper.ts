import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import PDFDocument from "pdfkit";

/** Noto Sans Hans, of which only the characters that a page shows go into the file. Its package names no files of its own. */
const fontFolder = join(dirname(createRequire(import.meta.url).resolve("@embedpdf/fonts-sc")), "..", "fonts");

/** Colours of the portal's papers. */
export const paperColors = { ink: "#14251e", faint: "#42534b", rule: "#cfcabd", accent: "#1b7a45" };

export type PaperDocument = InstanceType<typeof PDFDocument>;

/**
 * Begins a file of A4 pages with the fonts `plain` and `strong`. All pages are held until it ends, so that each can say how many
 * there are.
 * @param margin in points
 */
export function beginPaper(margin: number, options: PDFKit.PDFDocumentOptions = {}): PaperDocument {
  const document = new PDFDocument({ size: "A4", margin, bufferPages: true, ...options });
  document.registerFont("plain", join(fontFolder, "NotoSansHans-Regular.otf"));
  document.registerFont("strong", join(fontFolder, "NotoSansHans-Bold.otf"));
  return document;
}

/** The same in Chinese, for a file that is kept in memory until it is whole. @returns with it what ends it and gives its bytes */
export function beginKeptPaper(margin: number): { document: PaperDocument; end: () => Promise<Buffer> } {
  const document = beginPaper(margin, { lang: "zh-CN" });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.on("end", resolve));
  return {
    document,
    async end() {
      document.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}
