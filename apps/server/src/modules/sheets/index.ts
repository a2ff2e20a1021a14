export { byteOrderMark, csvPieces, csvText, writeCsv } from "./csv-writer.ts";
export { type Heading, plainHeading, type SheetSource } from "./headings.ts";
export type { CellFault } from "./sheet-limits.ts";
export { readSheet, type SheetRow, sheetFormOf } from "./sheet-reader.ts";
export {
  problemHeader,
  type SheetColumn,
  type SheetProblemMark,
  type SheetValue,
  type TemplateColumn,
  writeMarkedSheet,
  writeSheet,
  writeTemplate,
} from "./sheet-writer.ts";
