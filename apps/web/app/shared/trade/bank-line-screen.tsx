import { bankLines } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration, type StateFace } from "@herdwise/contract/resource";
import { useAddressValues } from "../address/use-address.ts";
import { Button } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { stateCell } from "../resource/state-cell.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./bank-line-match.module.css";
import { BankLineMatch } from "./bank-line-match.tsx";
import { bankAmount } from "./trade-cells.tsx";

const marks = { unmatched: "minor", recorded: "notice", done: "ok", aside: "off" } as const;
const faces: Record<string, StateFace> = Object.fromEntries(
  bankLines.fields.matching.options.map(([value, word]) => [value, { word, mark: marks[value] }]),
);
const State = stateCell(faces);

/** How a line stands: the payment that an unmatched one names, with what is missing or too much, and since when it waits. */
function Matching({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const fen = Number(row.namedDifferenceFen ?? 0);
  const named = String(row.namedPaymentName ?? "");
  const days = Number(row.waitingDays ?? 0);
  const mayMatch = useAccess().permissions.has(permissionOf(bankLines, "edit"));
  const [, change] = useAddressValues();
  const word = named !== "" && fen === 0 ? t("匹配 {number}", { number: named }) : t("去匹配");
  return (
    <span className={styles.matching}>
      {State && <State row={row} value={value} />}
      {value === "unmatched" && ((named !== "" && fen !== 0) || days > 0) && (
        <small className="num">
          {[
            named !== "" && fen < 0 && t("比 {number} 少 {amount}", { number: named, amount: yuanText(-fen) }),
            named !== "" && fen > 0 && t("比 {number} 多 {amount}", { number: named, amount: yuanText(fen) }),
            days > 0 && t("等了 {days} 天", { days }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      )}
      {value === "unmatched" && mayMatch && (
        <Button
          small
          kind={named !== "" && fen === 0 ? "primary" : "plain"}
          aria-label={`${word} ${String(row.bankReference)}`}
          onPress={() => change({ row: row.id })}
        >
          {word}
        </Button>
      )}
    </span>
  );
}
const cells = { matching: Matching, amountFen: bankAmount };

/** Lines of the bank's statement, each with what it may pay. */
export function BankLineScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} detail={BankLineMatch} />;
}
