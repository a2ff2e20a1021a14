/** Flags of Node with which the server runs. */
export const serverFlags: readonly string[];
