import type { ResourceDeclaration } from "./declaration.ts";
import type { Field } from "./fields.ts";

/** The fields of a form that may be left out as a whole. */
const optional = (asks: Readonly<Record<string, Field>>): Record<string, Field> =>
  Object.fromEntries(
    Object.entries(asks).map(([name, field]) => {
      const { required: _required, ...rest } = field;
      return [name, rest as Field];
    }),
  );

/**
 * What the sheets of a resource are filled in with: its own fields, or, for a process, the form by which a row begins and the forms of the
 * events that its sheets name.
 */
export function sheetFormOf(of: ResourceDeclaration): ResourceDeclaration {
  const { process, sheets, title, fields } = of;
  if (process?.begin === undefined || sheets === undefined) return of;
  const events = (sheets.events ?? []).map((event) => optional(process.events[event]?.asks ?? {}));
  const named = fields[title];
  return {
    ...of,
    fields: Object.assign(
      {},
      named && { [title]: named },
      process.begin.asks,
      ...events,
    ) as ResourceDeclaration["fields"],
  };
}
