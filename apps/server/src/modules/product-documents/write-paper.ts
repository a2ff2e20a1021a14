import { beginKeptPaper, type PaperDocument, paperColors } from "../../pdf-paper.ts";
import type { PaperBlock, PaperShape, ProductPaper } from "./paper.ts";

const margin = 60;
const { ink, faint, rule, accent } = paperColors;
const band = "#f1efe8";
const pointsPerMm = 72 / 25.4;

/** Writes a document about a product. @returns its bytes and pages */
export async function writeProductPaper(paper: ProductPaper): Promise<{ bytes: Buffer; pages: number }> {
  const { document, end } = beginKeptPaper(margin);
  document.info.Title = `${paper.title} ${paper.titleEn}`;
  const width = document.page.width - 2 * margin;
  const room = (height: number): void => {
    if (document.y + height > document.page.height - margin - 20) document.addPage();
  };

  document.rect(0, 0, document.page.width, 6).fillColor(accent).fill();
  document.font("plain").fontSize(9.5).fillColor(faint).text(paper.line, margin, margin, { width });
  document.moveDown(0.6).font("strong").fontSize(22).fillColor(ink).text(paper.title, { width, lineGap: 2 });
  document.font("plain").fontSize(12).fillColor(faint).text(paper.titleEn, { width, lineGap: 2 });
  document.moveDown(0.3).fontSize(9.5).text(`版本 Version ${paper.version}`, { width });
  if (paper.example !== "") {
    document.moveDown(0.8);
    const top = document.y;
    const height = document.heightOfString(paper.example, { width: width - 28, lineGap: 3 });
    document
      .rect(margin, top, width, height + 18)
      .fillColor(band)
      .fill();
    document
      .rect(margin, top, 3, height + 18)
      .fillColor(accent)
      .fill();
    document.fillColor(ink).text(paper.example, margin + 16, top + 9, { width: width - 28, lineGap: 3 });
    document.y = top + height + 18;
  }
  for (const [at, { title, titleEn, blocks }] of paper.sections.entries()) {
    document.x = margin;
    document.moveDown(1.2);
    room(90);
    document
      .font("strong")
      .fontSize(13)
      .fillColor(ink)
      .text(`${at + 1}  ${title}`, margin, document.y, { width, continued: true });
    document.font("plain").fontSize(10).fillColor(faint).text(`   ${titleEn}`);
    document.moveDown(0.5);
    for (const block of blocks) writeBlock(document, block, width, room);
  }

  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.page.margins.bottom = 0;
    document
      .font("plain")
      .fontSize(8)
      .fillColor(faint)
      .text(`${paper.title}  ${paper.version}`, margin, document.page.height - 40, { width, lineBreak: false });
    document.text(`${page + 1} / ${count}`, margin, document.page.height - 40, {
      width,
      align: "right",
      lineBreak: false,
    });
  }
  return { bytes: await end(), pages: count };
}

function writeBlock(document: PaperDocument, block: PaperBlock, width: number, room: (height: number) => void): void {
  document.font("plain").fontSize(10).fillColor(ink);
  switch (block.block) {
    case "text":
      room(30);
      document.text(block.text, margin, document.y, { width, lineGap: 4, paragraphGap: 4 });
      break;
    case "points":
    case "steps":
      for (const [at, text] of (block.block === "points" ? block.points : block.steps).entries()) {
        room(30);
        const top = document.y;
        document.fillColor(accent).text(block.block === "points" ? "•" : `${at + 1}`, margin, top, { width: 16 });
        document.fillColor(ink).text(text, margin + 18, top, { width: width - 18, lineGap: 3, paragraphGap: 3 });
      }
      break;
    case "table":
      writeTable(document, block, width, room);
      break;
    case "drawing":
      room(block.height * pointsPerMm + 12);
      writeDrawing(document, block.shapes, block.height, width);
      break;
  }
  document.x = margin;
}

function writeTable(
  document: PaperDocument,
  { widths, rows }: Extract<PaperBlock, { block: "table" }>,
  width: number,
  room: (height: number) => void,
): void {
  const shares = widths.reduce((sum, share) => sum + share, 0);
  const columns = widths.map((share) => (share / shares) * width);
  const padding = 5;
  document.fontSize(9);
  for (const [at, row] of rows.entries()) {
    document.font(at === 0 ? "strong" : "plain");
    const height =
      Math.max(
        ...row.map((text, column) =>
          document.heightOfString(text || " ", { width: (columns[column] ?? 0) - 2 * padding, lineGap: 2 }),
        ),
      ) +
      2 * padding;
    room(height + (at === 0 ? 40 : 0));
    const top = document.y;
    if (at === 0) document.rect(margin, top, width, height).fillColor(band).fill();
    let x = margin;
    for (const [column, text] of row.entries()) {
      const own = columns[column] ?? 0;
      document
        .fillColor(at === 0 ? faint : ink)
        .text(text, x + padding, top + padding, { width: own - 2 * padding, lineGap: 2 });
      x += own;
    }
    document
      .moveTo(margin, top + height)
      .lineTo(margin + width, top + height)
      .lineWidth(0.5)
      .strokeColor(rule)
      .stroke();
    document.y = top + height;
  }
  document.moveDown(0.6);
}

function writeDrawing(document: PaperDocument, shapes: readonly PaperShape[], height: number, width: number): void {
  const top = document.y;
  const place = ([x, y]: readonly [number, number]): [number, number] => [
    margin + 8 + x * pointsPerMm,
    top + 8 + y * pointsPerMm,
  ];
  document
    .rect(margin, top, width, height * pointsPerMm + 4)
    .lineWidth(0.5)
    .strokeColor(rule)
    .stroke();
  document.font("plain").fontSize(8);
  for (const one of shapes) {
    if (one.shape === "box") {
      const [x, y] = place(one.at);
      document.rect(x, y, one.size[0] * pointsPerMm, one.size[1] * pointsPerMm).lineWidth(0.9);
      if (one.filled) document.fillAndStroke(band, ink);
      else document.strokeColor(ink).stroke();
    } else if (one.shape === "line") {
      document
        .moveTo(...place(one.from))
        .lineTo(...place(one.to))
        .lineWidth(0.9);
      if (one.dashed) document.dash(3, { space: 2 });
      document.strokeColor(ink).stroke().undash();
    } else if (one.shape === "size") {
      const [from, to] = [place(one.from), place(one.to)];
      document
        .moveTo(...from)
        .lineTo(...to)
        .lineWidth(0.5)
        .strokeColor(accent)
        .stroke();
      for (const [x, y] of [from, to]) document.circle(x, y, 1.2).fillColor(accent).fill();
      const upright = Math.abs(from[0] - to[0]) < 1;
      document
        .fillColor(accent)
        .text(one.text, (from[0] + to[0]) / 2 + (upright ? 4 : -30), (from[1] + to[1]) / 2 + (upright ? -4 : -11), {
          width: 60,
          align: upright ? "left" : "center",
          lineBreak: false,
        });
    } else {
      const [x, y] = place(one.at);
      document.fillColor(ink).text(one.text, x, y, { lineBreak: false });
    }
  }
  document.y = top + height * pointsPerMm + 12;
}
