import { bankLines } from "@herdwise/contract";
import type { ResourceDeclaration, StateFace } from "@herdwise/contract/resource";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { stateCell } from "../resource/state-cell.tsx";
import { BankLineMatch } from "./bank-line-match.tsx";

const marks = { unmatched: "minor", recorded: "notice", done: "ok", aside: "off" } as const;
const faces: Record<string, StateFace> = Object.fromEntries(
  bankLines.fields.matching.options.map(([value, word]) => [value, { word, mark: marks[value] }]),
);
const cells = { matching: stateCell(faces) };

/** Lines of the bank's statement, each with what it may pay. */
export function BankLineScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} detail={BankLineMatch} />;
}
