/** Values for the `{name}` placeholders of a text. */
export type Fillings = Readonly<Record<string, string | number>>;

/** A noun as it is written inside a sentence: names of letters, such as API, stay. */
const inSentence = (noun: string): string => noun.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/**
 * Puts values into placeholders; those without a value stay as they are. `{name|one|many}` writes the first word where the value is 1,
 * else the second, also without a value as in the name of a unit, for languages that tell the two apart. `{one}` is what a row is called, with a small letter unless the text begins with it.
 */
export const fill = (text: string, fillings: Fillings): string =>
  text.replace(
    /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (whole, name: string, one?: string, many?: string, at?: number) => {
      const value = fillings[name];
      if (value === undefined) return many ?? whole;
      if (one === undefined) return name === "one" && at !== 0 ? inSentence(String(value)) : String(value);
      return String(String(value) === "1" ? one : many);
    },
  );
