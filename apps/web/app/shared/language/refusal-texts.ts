import type { Fillings } from "./fill.ts";

interface Template {
  text: string;
  values: Fillings;
}

const mostKept = 50;
const templates = new Map<string, Template>();

/**
 * Keeps the template of a refusal's message, so that forms which hold the message alone can show it in any language, and
 * in another one when the language changes.
 */
export function keepTemplate(message: string, text: string, values: Fillings): void {
  if (message === text) return;
  templates.delete(message);
  templates.set(message, { text, values });
  if (templates.size > mostKept) templates.delete(templates.keys().next().value ?? "");
}

export const templateOf = (message: string): Template | undefined => templates.get(message);
