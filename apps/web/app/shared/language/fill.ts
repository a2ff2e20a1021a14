/** Values for the `{name}` placeholders of a text. */
export type Fillings = Readonly<Record<string, string | number>>;

/** Puts values into placeholders; those without a value stay as they are. */
export const fill = (text: string, fillings: Fillings): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(fillings[name] ?? whole));
