/** The part of pino's logger that the database layer needs; `fields` come first as in pino. */
export interface DatabaseLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

function ignore(): void {}

/** A log that drops everything, for tests and for tools that speak to a person themselves. */
export const silentLog: DatabaseLog = { info: ignore, warn: ignore, error: ignore };
