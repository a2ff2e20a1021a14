import type { Field } from "./fields.ts";

/** Chinese name of a state, and its mark, which gives shape and colour. */
export interface StateFace {
  readonly word: string;
  readonly mark: "critical" | "major" | "minor" | "notice" | "ok" | "off" | "empty";
}

/** Chinese name of an event, and the fields that its caller fills in. */
export interface EventFace {
  readonly word: string;
  /** Shown as the main button. */
  readonly primary?: true;
  /**
   * Fields of the event's form; their values are stored with the history line. A field with the name of one of the row's begins
   * with the row's value.
   */
  readonly asks?: Readonly<Record<string, Field>>;
}

/** How a person begins a row, with the operation `<path>/submit`. */
export interface BeginFace extends EventFace {
  readonly asks: Readonly<Record<string, Field>>;
  /** Who may begin one; whoever may edit rows where it is left out. */
  readonly by?: "group" | "customers";
}

/** Appearance of a process whose rows are a resource: its states in order, and the events that have a button. */
export interface ProcessFace {
  /** Letters that the rows' numbers begin with, as in `SB-261127-001`; rows have no numbers where they are left out. */
  readonly number?: string;
  /** Rows are begun by code alone where it is left out. */
  readonly begin?: BeginFace;
  readonly states: Readonly<Record<string, StateFace>>;
  /** Each event with a button has an operation of its own, `<path>/<event>`. */
  readonly events: Readonly<Record<string, EventFace>>;
  /** Texts by event for history lines without a button, such as the first one or those of the clock. */
  readonly lines: Readonly<Record<string, string>>;
  /** Chinese names of parties without an account, which history lines show in place of a person. */
  readonly parties?: Readonly<Record<string, string>>;
}

/**
 * Path of an event's operation.
 * @param event snake_case
 */
export const eventPath = (of: { readonly path: string }, event: string): string =>
  `${of.path}/${event.replaceAll("_", "-")}`;
