/** What the text of an exported record of a lot says of itself. */
export function verifyAward(text: string): {
  whole: boolean;
  /** First entry that is not as it was written, or is missing. */
  altered?: number;
  why?: string;
  lot?: string;
  entries?: number;
  lastHash?: string;
};
