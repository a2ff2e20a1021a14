import type { Fillings } from "./fill.ts";
import type { Translate } from "./use-language.ts";

/** A text with placeholders and what fills them. */
export interface Told {
  text: string;
  values?: Fillings;
}

/** A refusal or a problem in the chosen language. Its values are looked up as well: names of fields, and problems in words. */
export function tellIn(t: Translate, { text, values = {} }: Told): string {
  const filled = Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? t(value) : value]);
  return t(text, Object.fromEntries(filled)).trim();
}
