import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import pg from "pg";
import { afterAll } from "vitest";
import { statementsDirectory } from "./statements.ts";

/**
 * Vitest's setup file of a run that notes its SQL: each statement that goes through this process's connections, once. The check of
 * another version of PostgreSQL reads them (tests/statements.test.ts); that one notes nothing.
 */
const directory = process.env.TEST_DATABASE_URL ? undefined : statementsDirectory();
const shared = globalThis as { herdwiseStatements?: { known: Set<string>; fresh: string[] } };

// A worker runs the setup file anew for each of its files; the driver is loaded once.
if (directory !== undefined && shared.herdwiseStatements === undefined) {
  const noted = { known: new Set<string>(), fresh: [] as string[] };
  shared.herdwiseStatements = noted;
  const note = (statement: unknown): void => {
    const text = typeof statement === "string" ? statement : (statement as { text?: unknown } | null)?.text;
    if (typeof text !== "string" || noted.known.has(text)) return;
    noted.known.add(text);
    noted.fresh.push(text);
  };
  const client = pg.Client.prototype as { query(...words: unknown[]): unknown };
  const query = client.query;
  client.query = function (...words) {
    note(words[0]);
    return query.apply(this, words);
  };
}

afterAll(() => {
  const fresh = shared.herdwiseStatements?.fresh.splice(0) ?? [];
  if (directory === undefined || fresh.length === 0) return;
  const lines = fresh.map((text) => `${JSON.stringify(text)}\n`).join("");
  appendFileSync(join(directory, `${process.pid}-${threadId}.jsonl`), lines);
});
