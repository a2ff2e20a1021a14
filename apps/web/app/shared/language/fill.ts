/** Values for the `{name}` placeholders of a text. */
export type Fillings = Readonly<Record<string, string | number>>;

/**
 * Puts values into placeholders; those without a value stay as they are. `{name|one|many}` writes the first word where the value is 1,
 * else the second, for languages that tell the two apart.
 */
export const fill = (text: string, fillings: Fillings): string =>
  text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = fillings[name];
    if (value === undefined) return whole;
    return String(one === undefined ? value : String(value) === "1" ? one : many);
  });
