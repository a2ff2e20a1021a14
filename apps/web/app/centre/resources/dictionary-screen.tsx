import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Translated } from "../../shared/language/translated.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

/** Key of the row that names a code, which is no value of it. */
const codeKey = "-1";

const cells: Cells = {
  dictValue: ({ row, value }) => (
    <>
      <Translated text={String(value)} />
      {row.dictKey !== codeKey && <small className="mut num"> {String(row.dictKey)}</small>}
    </>
  ),
  // Values have no entries of their own.
  entries: ({ row, value }) => (row.dictKey === codeKey ? <span className="num">{String(value)}</span> : null),
};

/** Dictionaries: codes with the number of their values, and the values below each. */
export function DictionaryScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} />;
}
