/** The part of pino's logger that the database layer needs; `fields` come first as in pino. */
export interface DatabaseLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

function ignore(): void {}

/** A log that drops everything, for tests and for tools that speak to a person themselves. */
export const silentLog: DatabaseLog = { info: ignore, warn: ignore, error: ignore };

/** A log for command-line tools: warnings and errors as lines for a person, the rest dropped. */
export function warningsOnly(print: (text: string) => void): DatabaseLog {
  return { info: ignore, warn: (_fields, text) => print(text), error: (_fields, text) => print(text) };
}
