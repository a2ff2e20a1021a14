import { readFileSync } from "node:fs";

const file = new URL("../../web/public/i18n/i18n_en.json", import.meta.url);
let english: Readonly<Record<string, string>> | undefined;

/** The English of a text of the screens, such as a field's label; undefined when there is none. */
export function englishOf(chinese: string): string | undefined {
  english ??= JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return english[chinese];
}
