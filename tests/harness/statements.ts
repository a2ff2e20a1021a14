import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a run notes its SQL, or finds what an earlier run noted; undefined where neither is wanted. */
export const statementsDirectory = (): string | undefined => process.env.HERDWISE_TEST_STATEMENTS || undefined;

/**
 * What a database parses and checks against its tables without running it; the rest are definitions, COPY, transactions, and what begins
 * with a comment, as statements for tables of an earlier version do.
 */
const preparable = /^\s*(?:with|select|insert|update|delete|merge|values)\b/i;

/** The statements of earlier runs that can be prepared, each once. */
export function notedStatements(directory: string): string[] {
  const lines = readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n").filter(Boolean));
  return [...new Set(lines)].map((line) => JSON.parse(line) as string).filter((text) => preparable.test(text));
}
