/** How a unit stands, worst first: what needs a person stands above what merely is. */
export const unitStates = [
  "critical",
  "major",
  "minor",
  "offline",
  "notice",
  "silent",
  "bare",
  "ok",
  "washing",
  "empty",
] as const;
export type UnitState = (typeof unitStates)[number];
