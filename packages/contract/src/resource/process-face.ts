import type { Field } from "./fields.ts";

/** How a state is called, Chinese, and the mark that stands beside its word. */
export interface StateFace {
  readonly word: string;
  readonly mark: "critical" | "major" | "minor" | "notice" | "ok" | "off";
}

/** What an event is called, Chinese, and what whoever starts it is asked first. */
export interface EventFace {
  readonly word: string;
  /** Shown as the main button. */
  readonly primary?: true;
  /** Fields of the form; their values are kept with the line of the history. */
  readonly asks?: Readonly<Record<string, Field>>;
}

/** What people see of a process whose rows are a resource: its states in order, and the events that have a button. */
export interface ProcessFace {
  readonly states: Readonly<Record<string, StateFace>>;
  /** Events with a button have a call of their own, `<path>/<event>`. */
  readonly events: Readonly<Record<string, EventFace>>;
  /** Words of the lines that no button makes, such as the first one or those of the clock, by event. */
  readonly lines: Readonly<Record<string, string>>;
}

/** The path of an event's call. @param event snake_case */
export const eventPath = (of: { readonly path: string }, event: string): string =>
  `${of.path}/${event.replaceAll("_", "-")}`;
