import type { Preferences } from "./preferences.tsx";

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);

/** Colours of the theme, in tokens.css. */
const own = { light: "#1b7a45", dark: "#74d192" };

/**
 * Styles that replace the main colour of the portal; "" while it is the portal's own. Someone who chose another accent keeps it. Only
 * colours get in, whatever the settings hold.
 */
export function brandColours({ light, dark }: Preferences["brand"]): string {
  if (!isColour(light) && !isColour(dark)) return "";
  const [day, night] = [isColour(light) ? light : own.light, isColour(dark) ? dark : own.dark];
  const by = (share: number, dayWith: string, nightWith: string): string =>
    `light-dark(color-mix(in srgb,${day} ${share}%,${dayWith}),color-mix(in srgb,${night} ${share}%,${nightWith}))`;
  return `html[data-accent="leaf"]{--accent:light-dark(${day},${night});--accent-strong:${by(80, "#000", "#fff")};--accent-soft:${by(12, "#fff", "#111c18")};--accent-line:${by(38, "#fff", "#111c18")}}`;
}
