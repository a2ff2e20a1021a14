/**
 * Fills `:name` placeholders of a title from route params or query, then adds the app's name. Unknown ones vanish.
 * @param appName brand and company suffix as the public settings have them
 */
export function pageTitle(
  title: string,
  values: Readonly<Record<string, string | undefined>>,
  appName: string,
): string {
  const filled = title
    .replace(/:([A-Za-z_]\w*)/g, (_, name: string) => values[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return [filled, appName].filter((part) => part !== "").join("｜");
}

/** The brand while the portal's settings could not be learnt. */
export const unknownBrand = {
  zh: "慧牧",
  en: "Herdwise",
  light: "",
  dark: "",
  logos: { light: "", dark: "", icon: "" },
};

/** What pages say of the portal while its settings could not be learnt. */
export const unknownPortal = {
  appName: "",
  brand: unknownBrand,
  records: { icp: "", police: "" },
  contact: { company: "", service: "", sales: "", place: "" },
};

/** The app's name: the brand, and the company's name behind it where there is one. */
export const appNameOf = ({ brandName, companySuffix }: { brandName: string; companySuffix: string }): string =>
  `${brandName} ${companySuffix}`.trim();
