// Reads, draws and writes PDF files: what somebody uploaded is taken apart here, and not where requests are answered.
import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { answerWork } from "../../answer-work.ts";
import type { PdfAnswer, PdfWork } from "./pdf.ts";
import { writeProductPaper } from "./write-paper.ts";

/** Characters of a document that the search reads. */
const mostCharacters = 200_000;
/** Longest side of a page's picture; one that is laid out stranger is drawn smaller. */
const longestPx = 1600;

let library: Promise<PDFiumLibrary> | undefined;

async function opened<T>(bytes: Uint8Array, work: (document: PDFiumDocument) => Promise<T>): Promise<T> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(bytes);
  try {
    return await work(document);
  } finally {
    document.destroy();
  }
}

async function answerTo(work: PdfWork): Promise<PdfAnswer> {
  if (work.what === "write") {
    const { bytes, pages } = await writeProductPaper(work.paper);
    return { what: "write", bytes, pages };
  }
  if (work.what === "look")
    return opened(work.bytes, async (document) => {
      const pages = document.getPageCount();
      let text = "";
      for (const page of document.pages()) {
        if (text.length >= mostCharacters) break;
        text += `${page.getText()}\n`;
      }
      // No column takes zero bytes or halves of characters.
      const words = text
        .replace(/[\0\p{Surrogate}]/gu, "")
        .replace(/\s+/g, " ")
        .trim();
      return { what: "look", pages, words: words.slice(0, mostCharacters) };
    });
  return opened(work.bytes, async (document) => {
    const page = document.getPage(work.page - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = Math.min(work.width / originalWidth, longestPx / Math.max(originalWidth, originalHeight));
    const drawn = await page.render({
      scale,
      render: ({ data, width, height }) =>
        sharp(data, { raw: { width, height, channels: 4 } })
          .flatten({ background: "#ffffff" })
          .png({ palette: true, colours: 64 })
          .toBuffer(),
    });
    return { what: "draw", picture: drawn.data };
  });
}

answerWork<PdfWork, PdfAnswer>(answerTo);
