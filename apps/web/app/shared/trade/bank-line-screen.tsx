import { bankLines } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { isBlank, permissionOf, type ResourceDeclaration, type StateFace } from "@herdwise/contract/resource";
import { useAddressValues } from "../address/use-address.ts";
import { Button } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Nothing } from "../resource/cell.tsx";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { stateCell } from "../resource/state-cell.tsx";
import { useAccess } from "../session/access-context.ts";
import { BankLineMatch } from "./bank-line-match.tsx";
import styles from "./state-line.module.css";
import { bankAmount } from "./trade-cells.tsx";

const marks = { unmatched: "minor", recorded: "notice", done: "ok", aside: "off" } as const;
const faces: Record<string, StateFace> = Object.fromEntries(
  bankLines.fields.matching.options.map(([value, word]) => [value, { word, mark: marks[value] }]),
);
const State = stateCell(faces);

/** What an unmatched line names and may pay; nothing for a line that waits no more. */
const namedBy = (row: Row): string => (row.matching === "unmatched" ? String(row.namedPaymentName ?? "") : "");

/** How a line stands, and since when an unmatched one waits. */
function Matching({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const days = value === "unmatched" ? Number(row.waitingDays ?? 0) : 0;
  return (
    <span className={styles.state}>
      {State && <State row={row} value={value} />}
      {days > 0 && <small className="num">{t("等了 {days} 天", { days })}</small>}
    </span>
  );
}

/** What a line pays; of an unmatched one what its remark names, with what is missing or too much. */
function MatchedTo({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const named = namedBy(row);
  const fen = Number(row.namedDifferenceFen ?? 0);
  if (named === "" || fen === 0) return isBlank(value) ? <Nothing /> : <span className="num">{String(value)}</span>;
  const amount = yuanText(Math.abs(fen));
  return (
    <span className="num">
      {t(fen < 0 ? "比 {number} 少 {amount}" : "比 {number} 多 {amount}", { number: named, amount })}
    </span>
  );
}

/** The way to match a line. */
function ToMatch({ row }: { row: Row }) {
  const t = useTranslate();
  const mayMatch = useAccess().permissions.has(permissionOf(bankLines, "edit"));
  const [, change] = useAddressValues();
  if (row.matching !== "unmatched" || !mayMatch) return null;
  const named = namedBy(row);
  const isSure = named !== "" && Number(row.namedDifferenceFen ?? 0) === 0;
  const word = isSure ? t("匹配 {number}", { number: named }) : t("去匹配");
  return (
    <Button
      small
      kind={isSure ? "primary" : "plain"}
      aria-label={`${word} ${String(row.bankReference)}`}
      onPress={() => change({ row: row.id })}
    >
      {word}
    </Button>
  );
}
const cells = { matching: Matching, matchedTo: MatchedTo, acts: ToMatch, amountFen: bankAmount };

/** Lines of the bank's statement, each with what it may pay. */
export function BankLineScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} detail={BankLineMatch} />;
}
