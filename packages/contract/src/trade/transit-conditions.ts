/** What a vehicle must have before it loads; moments are ms since 1970. */
export interface TransitPapers {
  readonly plate: string;
  readonly heads: number;
  /** "" for none. */
  readonly disinfectionNumber: string;
  readonly disinfectionUntilMs: number | undefined;
  readonly quarantineNumber: string;
  /** Heads that the quarantine certificate is for. */
  readonly quarantineHeads: number;
  /** End of the last day on which it is valid. */
  readonly quarantineUntilMs: number | undefined;
}

/** Before the end of a certificate of a vehicle that has not left, ms: so long loading and the way to the gate take. */
export const certificateWarnMs = 6 * 3_600_000;

/** How a paper of a vehicle stands: `few` is a quarantine certificate for fewer heads than are loaded. */
export type PaperState = "ok" | "missing" | "expired" | "few";

/** How the washing and disinfection certificate stands; one without it, or past its end, blocks loading (decisions.md 9). */
export const disinfectionState = (of: TransitPapers, nowMs: number): PaperState =>
  of.disinfectionNumber === "" || of.disinfectionUntilMs === undefined
    ? "missing"
    : of.disinfectionUntilMs <= nowMs
      ? "expired"
      : "ok";

/** How the animal quarantine certificate stands. */
export function quarantineState(of: TransitPapers, nowMs: number): PaperState {
  if (of.quarantineNumber === "" || of.quarantineUntilMs === undefined) return "missing";
  if (of.quarantineUntilMs <= nowMs) return "expired";
  return of.quarantineHeads < of.heads ? "few" : "ok";
}
