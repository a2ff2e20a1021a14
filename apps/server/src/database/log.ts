/** The part of pino's logger that the database code needs; `fields` come first, as in pino. */
export interface DatabaseLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

function ignore(): void {}

/** A log that drops everything, for tests and for tools with their own output. */
export const silentLog: DatabaseLog = { info: ignore, warn: ignore, error: ignore };

/** A log for command-line tools that prints warnings and errors and drops the rest. */
export function warningsOnly(print: (text: string) => void): DatabaseLog {
  return { info: ignore, warn: (_fields, text) => print(text), error: (_fields, text) => print(text) };
}
