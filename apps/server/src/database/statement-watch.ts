import type pg from "pg";

/**
 * Told of each statement when it is sent, without its values.
 * @returns called when it ended, with the error where it failed
 */
export type StatementWatcher = (text: string) => (error?: unknown) => void;

type Answer = (error: unknown, result?: unknown) => void;

/** The text of what `query` was given; undefined for what speaks the protocol by itself. */
function textOf(what: unknown): string | undefined {
  if (typeof what === "string") return what;
  if (typeof what !== "object" || what === null || "submit" in what) return undefined;
  return "text" in what && typeof what.text === "string" ? what.text : undefined;
}

/** Tells watchers of the statements of a connection. @param watchers is read at each statement */
export function watchStatements(client: pg.ClientBase, watchers: readonly StatementWatcher[]): void {
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  (client as { query: unknown }).query = (...words: unknown[]): unknown => {
    const text = textOf(words[0]);
    if (text === undefined || watchers.length === 0) return query(...words);
    const ends = watchers.map((watcher) => watcher(text));
    const end = (error?: unknown): void => {
      for (const told of ends) told(error ?? undefined);
    };
    const callback = words.at(-1);
    if (typeof callback === "function")
      return query(...words.slice(0, -1), (error: unknown, result: unknown) => {
        end(error);
        (callback as Answer)(error, result);
      });
    const answer = query(...words) as Promise<unknown>;
    // The caller has the answer itself, with its error.
    answer.then(() => end(), end);
    return answer;
  };
}
