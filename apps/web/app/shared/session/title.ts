export const appName = "慧牧 Herdwise";

/** Fills `:name` placeholders of a title from route params or query, then adds the app's name. Unknown ones vanish. */
export function pageTitle(
  title: string,
  values: Readonly<Record<string, string | undefined>>,
  suffix = appName,
): string {
  const filled = title
    .replace(/:([A-Za-z_]\w*)/g, (_, name: string) => values[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return filled === "" ? suffix : `${filled}｜${suffix}`;
}
