import { currentSpan, type Tracing } from "../tracing/span.ts";
import type { StatementWatcher } from "./statement-watch.ts";

const longestText = 2000;

/** A statement as a trace shows it: values are parameters, and what stands in quotes is left out. */
export const shownStatement = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'/g, "'…'")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestText);

const nothing = () => undefined;

/** Traces the statements of work that is traced; those of clocks that look twice a second would bury the rest. */
export function traceStatements(tracing: Tracing): StatementWatcher {
  return (text) => {
    const parent = currentSpan();
    if (parent === undefined) return nothing;
    const shown = shownStatement(text);
    const operation = /^\w+/.exec(shown)?.[0].toUpperCase() ?? "SQL";
    const span = tracing.start(
      operation,
      "client",
      { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.text": shown },
      parent,
    );
    return (error) => span.end(error);
  };
}
