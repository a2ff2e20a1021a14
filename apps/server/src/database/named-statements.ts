import type pg from "pg";

/** Named statements that a connection keeps: each holds its text and, once it has a generic one, its plan in the database's memory. */
const keptPerConnection = 200;
/** Texts that are remembered as sent; beyond it all are forgotten. */
const rememberedTexts = 5000;
/** Texts longer than this differ from request to request, as lists of values make them. */
const longestNamed = 20_000;

/** The statement that a connection planned before a table was changed cannot be used any more. */
const isStale = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === "0A000" && error.message.includes("cached plan");

/** A text without values may hold several statements, or one that has no plan; neither gets a name. */
const isOneQuery = (text: string): boolean => /^\s*(?:select|with)\b[^;]*$/i.test(text);

/** Texts that were sent, over all connections of the process. */
const sent = new Set<string>();

/** Whether a text comes again; many are sent once, and those get no name. */
function comesAgain(text: string): boolean {
  if (text.length > longestNamed) return false;
  if (sent.has(text)) return true;
  if (sent.size >= rememberedTexts) sent.clear();
  sent.add(text);
  return false;
}

/** Statements that the driver knows of a connection, by name. */
type Connection = {
  connection: {
    parsedStatements: Record<string, string | undefined>;
    close(what: { type: "S"; name: string }): void;
  };
};
type Answer = (error: Error | undefined, result?: unknown) => void;

/**
 * Gives statements a name, so that a connection parses each once and the database plans it anew only as long as plans for the
 * values at hand are better than one for all (`plan_cache_mode = auto`). Of more statements than a connection keeps, those that were not
 * used for the longest time are given back. A statement whose table was changed since is sent again under another name.
 */
export function nameStatements(client: pg.ClientBase): void {
  const { connection } = client as unknown as Connection;
  const { parsedStatements } = connection;
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  /** Names by text, the one that was used last behind the others. */
  const held = new Map<string, string>();
  let serial = 0;

  const forget = (text: string): void => {
    const name = held.get(text);
    if (name === undefined) return;
    held.delete(text);
    delete parsedStatements[name];
    // A message of the protocol that needs no answer of its own: the next statement need not wait for it. No name comes again.
    connection.close({ type: "S", name });
  };
  const use = (text: string): string => {
    let name = held.get(text);
    if (name === undefined) {
      serial += 1;
      name = `named_${serial}`;
    } else held.delete(text);
    held.set(text, name);
    const [oldest] = held.keys();
    if (held.size > keptPerConnection && oldest !== undefined) forget(oldest);
    return name;
  };

  (client as { query: unknown }).query = (...words: unknown[]): unknown => {
    const [text, values, callback] = words;
    if (typeof text !== "string" || !Array.isArray(values) || !comesAgain(text)) return query(...words);
    if (values.length === 0 && !isOneQuery(text)) return query(...words);
    const named = { text, values, name: use(text) };
    if (typeof callback === "function") {
      const answer = callback as Answer;
      return query(named, (error: Error | undefined, result: unknown) => {
        if (!isStale(error)) return answer(error, result);
        forget(text);
        query(text, values, answer);
      });
    }
    return (query(named) as Promise<unknown>).catch((error: unknown) => {
      if (!isStale(error)) throw error;
      forget(text);
      return query(text, values);
    });
  };
}
