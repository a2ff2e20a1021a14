import { uploadRules } from "@herdwise/contract";

/** Letters of a column, from 0, as sheets call it. */
export const letterOf = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letterOf(Math.floor(index / 26) - 1) + letterOf(index % 26);

/** Column of a tree's sheet that says below which row one stands. */
export const parentColumn = { field: "parentId", label: "上级" } as const;

/** What a sheet of a file is called; a text is one without a name. */
export const sheetNameOf = (t: (text: string) => string, name: string): string => name || t("文本");

/** Extensions of files that can be sheets, as a file dialog takes them; what they hold is told by their content. */
export const sheetExtensions = uploadRules.sheet.extensions.map((extension) => `.${extension}`);
export const isSheetName = (name: string): boolean =>
  sheetExtensions.some((extension) => name.toLowerCase().endsWith(extension));
