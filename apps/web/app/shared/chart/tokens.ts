/** Values of design tokens as the page shows them now; charts need colours, not variable names. */
export function readTokens<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()])) as Record<Name, string>;
}
