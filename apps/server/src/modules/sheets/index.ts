export { csvText, writeCsv } from "./csv-writer.ts";
export { readSheet, type SheetRow } from "./sheet-reader.ts";
export {
  problemHeader,
  type SheetColumn,
  type SheetProblemMark,
  type SheetValue,
  writeMarkedSheet,
  writeSheet,
  writeTemplate,
} from "./sheet-writer.ts";
