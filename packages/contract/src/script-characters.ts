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

/** Raised and lowered characters, each with how it stands and what it is on the line. */
export const scriptCharacters: ReadonlyMap<string, { script: Script; plain: string }> = new Map(
  (["sup", "sub"] as const).flatMap((script) =>
    // The first of two that look alike is the one on keyboards.
    [...tables[script]].reverse().map(([plain, character]) => [character, { script, plain }] as const),
  ),
);

/** Raised and lowered words of a markup as characters that are so by themselves, so that they stay so where markup is left out. */
export const scriptsAsCharacters = (html: string): string =>
  html.replace(/<(sub|sup)>([^<]*)<\/\1>/gi, (whole, script: string, words: string) => {
    const table = tables[script.toLowerCase() as Script];
    const written = [...words].map((character) => table.get(character));
    return written.includes(undefined) ? whole : written.join("");
  });
