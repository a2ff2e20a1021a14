/** A text in both languages of the product. */
export type LocalText = { readonly zh: string; readonly en: string };

/** The screens that are made from a declaration: an overview of all units, a page of one unit, a page of one device. */
export type KindPages = {
  /** Where they are below /selfCenter, such as "vet/cough". */
  readonly path: string;
  /** Beginning of their menu codes: cough, cough_overview, cough_unit, cough_device. */
  readonly code: string;
  /** Icon of the menu, from the set of the web app. */
  readonly icon: string;
  /** Title of the overview. */
  readonly title: LocalText;
  /** The channels and derived values that an overview shows, most telling first; the first one is the figure of a tile. */
  readonly figures: readonly string[];
};
