/** What the script of a unit's or a device's document drew, see first-figures-script.ts. */
interface FirstDrawn {
  /** Path and query of the page. */
  readonly at: string;
  readonly html: string;
  readonly deviceId: string;
  /** Channel of the curve; absent without one. */
  readonly key?: string;
  /** The SVG of the curve. */
  readonly curve?: string;
}

declare global {
  var firstDrawn: FirstDrawn | undefined;
}

/** After this time of a page, ms, its first values are no longer those of now. */
const newForMs = 20_000;

/** What was drawn of the page that is open, while it is new. */
export function drawnFirst(): FirstDrawn | undefined {
  const drawn = globalThis.firstDrawn;
  const isNew = performance.now() < newForMs;
  return isNew && drawn?.at === location.pathname + location.search ? drawn : undefined;
}

/** The first curve of a device's value, as SVG, until the chart itself is here. */
export function curveOf(deviceId: string, key: string): string | undefined {
  const drawn = drawnFirst();
  return drawn?.deviceId === deviceId && drawn.key === key ? drawn.curve : undefined;
}
