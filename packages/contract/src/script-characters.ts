const characters = {
  sup: {
    from: "0123456789+-−=()abcdefghijklmnoprstuvwxyz",
    to: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
  },
  sub: { from: "0123456789+-−=()aehijklmnoprstuvx", to: "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ" },
} as const;
export type Script = keyof typeof characters;

const tableOf = (script: Script): ReadonlyMap<string, string> => {
  const { from, to } = characters[script];
  const moved = [...to];
  return new Map([...from].map((character, at) => [character, moved[at] ?? ""]));
};
const tables = { sup: tableOf("sup"), sub: tableOf("sub") };

/** Superscript and subscript characters, each with its position and the plain character. */
export const scriptCharacters: ReadonlyMap<string, { script: Script; plain: string }> = new Map(
  (["sup", "sub"] as const).flatMap((script) =>
    // The first of two similar characters is the one on keyboards.
    [...tables[script]].reverse().map(([plain, character]) => [character, { script, plain }] as const),
  ),
);

/** Replaces markup for superscript and subscript by Unicode characters, which keep the meaning in plain text. */
export const scriptsAsCharacters = (html: string): string =>
  html.replace(/<(sub|sup)>([^<]*)<\/\1>/gi, (whole, script: string, words: string) => {
    const table = tables[script.toLowerCase() as Script];
    const written = [...words].map((character) => table.get(character));
    return written.includes(undefined) ? whole : written.join("");
  });
