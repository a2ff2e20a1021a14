import PDFDocument from "pdfkit";
import { drawnText, paperFonts, runsOf } from "./pdf-characters.ts";

/** Colours of the portal's papers. */
export const paperColors = { ink: "#14251e", faint: "#42534b", rule: "#cfcabd", accent: "#1b7a45" };

export type PaperDocument = InstanceType<typeof PDFDocument>;

/** What the library writes lines with. It has no fonts beside a font and no raised figures, so both come in here. */
interface Lines {
  _font: { ascender: number };
  _fontSize: number;
  _fragment: (text: string, x: number, y: number, options: FragmentOptions) => void;
  widthOfString: (text: string, options?: PDFKit.Mixins.TextOptions) => number;
  heightOfString: (text: string, options?: PDFKit.Mixins.TextOptions) => number;
  text: (text: string, ...place: unknown[]) => PaperDocument;
}
interface FragmentOptions extends PDFKit.Mixins.TextOptions {
  lineWidth?: number;
  textWidth?: number;
}

/** Size of raised and lowered words, and how far they stand off the line, as shares of the size of its words. */
const scriptSize = 0.62;
const scriptRise = { sup: 0.36, sub: -0.14 };

/** Makes a document draw all that `drawnText` gives: raised and lowered characters are smaller ones, and read as what they are. */
function drawEverything(document: PaperDocument): void {
  const lines = document as unknown as Lines;
  const of = <Name extends "text" | "widthOfString" | "heightOfString" | "_fragment">(name: Name): Lines[Name] =>
    lines[name].bind(document) as Lines[Name];
  const [text, width, height, fragment] = [of("text"), of("widthOfString"), of("heightOfString"), of("_fragment")];
  const inSize = <Result>(size: number, work: () => Result): Result => {
    const before = lines._fontSize;
    lines._fontSize = size;
    try {
      return work();
    } finally {
      lines._fontSize = before;
    }
  };
  lines.text = (words, ...place) => text(drawnText(words), ...place);
  lines.heightOfString = (words, options) => height(drawnText(words), options);
  lines.widthOfString = (words, options) =>
    runsOf(words).reduce(
      (sum, { drawn, script }) =>
        sum + inSize(lines._fontSize * (script ? scriptSize : 1), () => width(drawn, options)),
      0,
    );
  lines._fragment = (words, x, y, options) => {
    const runs = runsOf(words);
    if (runs.every(({ script }) => script === undefined)) return fragment(words, x, y, options);
    const { align, textWidth: _whole, ...each } = options;
    const free = (options.lineWidth ?? 0) - lines.widthOfString(words.trimEnd(), options);
    let from = x + (options.width && align === "right" ? free : options.width && align === "center" ? free / 2 : 0);
    const size = lines._fontSize;
    for (const { text: meant, drawn, script } of runs) {
      const own = size * (script ? scriptSize : 1);
      // Texts are placed by their tops, so a smaller one comes down by what its ascender is less.
      const down = script ? (lines._font.ascender / 1000) * (size - own) - scriptRise[script] * size : 0;
      inSize(own, () => {
        if (script) document.markContent("Span", { actual: meant });
        fragment(drawn, from, y + down, each);
        if (script) document.endMarkedContent();
        from += width(drawn, each);
      });
    }
  };
}

/**
 * Begins a file of A4 pages with the fonts `plain` and `strong`. All pages are held until it ends, so that each can say how many
 * there are.
 * @param margin in points
 */
export function beginPaper(margin: number, options: PDFKit.PDFDocumentOptions = {}): PaperDocument {
  const document = new PDFDocument({ size: "A4", margin, bufferPages: true, ...options });
  for (const [name, path] of Object.entries(paperFonts)) document.registerFont(name, path);
  drawEverything(document);
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
