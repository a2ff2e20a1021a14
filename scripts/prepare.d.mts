/** Flags of Node with which the server runs. */
export const serverFlags: readonly string[];
/** Environment of the C library's memory with which the server runs. */
export const serverMemory: Readonly<Record<string, string>>;
export declare const node: string;
export declare const root: string;
