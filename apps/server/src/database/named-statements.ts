import type pg from "pg";

/**
 * Most named statements of a connection; each holds its text and, once it has a generic plan, that plan in the database's
 * memory.
 */
const keptPerConnection = 200;
/** Most texts that are remembered as sent; beyond it all are forgotten. */
const rememberedTexts = 5000;
/** Longer texts differ from request to request, as lists of values make them, so they get no name. */
const longestNamed = 20_000;

/** Whether the error says that a prepared statement is outdated because its table was changed. */
const isStale = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === "0A000" && error.message.includes("cached plan");

/** A text without values may contain several statements, or one that can't be planned; neither gets a name. */
const isOneQuery = (text: string): boolean => /^\s*(?:select|with)\b[^;]*$/i.test(text);

/** Texts sent by all connections of the process. */
const sent = new Set<string>();

/** Whether a text was sent before; texts that are sent only once get no name. */
function comesAgain(text: string): boolean {
  if (text.length > longestNamed) return false;
  if (sent.has(text)) return true;
  if (sent.size >= rememberedTexts) sent.clear();
  sent.add(text);
  return false;
}

/** The driver's record of a connection's prepared statements, by name. */
type Connection = {
  connection: {
    parsedStatements: Record<string, string | undefined>;
    close(what: { type: "S"; name: string }): void;
  };
};
type Answer = (error: Error | undefined, result?: unknown) => void;

/**
 * Names statements, so that a connection parses each of them once and the database can use a generic plan (`plan_cache_mode =
 * auto`).
 * Beyond the limit of a connection the least recently used statement is closed. A statement whose table was changed is sent
 * again under a new name.
 */
export function nameStatements(client: pg.ClientBase): void {
  const { connection } = client as unknown as Connection;
  const { parsedStatements } = connection;
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  /** Names by text, the most recently used last. */
  const held = new Map<string, string>();
  let serial = 0;

  const forget = (text: string): void => {
    const name = held.get(text);
    if (name === undefined) return;
    held.delete(text);
    delete parsedStatements[name];
    // This protocol message needs no answer, so the next statement need not wait for it; names are never reused.
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
