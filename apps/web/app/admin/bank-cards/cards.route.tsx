import { bankCardReveal, type DeskBankCard } from "@herdwise/contract";
import { bankCardWords } from "@herdwise/contract/bank-card-rules";
import { bankCardList } from "@herdwise/contract/lists";
import { useMemo, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { cardFailureWords } from "../../shared/cancellation/words.ts";
import { IconButton } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { EventDialog } from "../../shared/process/event-dialog.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { stateCell } from "../../shared/resource/state-cell.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./cards.module.css";

const cardOf = (row: Row): DeskBankCard => row as unknown as DeskBankCard;

const cells: Cells = {
  holder: ({ value }) => <span lang="zh-CN">{String(value)}</span>,
  phone: ({ value }) => <span className="num">{String(value)}</span>,
  state: stateCell(bankCardWords),
  failure: function Notes({ row }) {
    const t = useTranslate();
    const { isDefault, sandbox, failure, arrivals } = cardOf(row);
    return (
      <span className={styles.notes}>
        {isDefault && <span>{t("默认收款")}</span>}
        {failure !== "" && <span>{t(cardFailureWords[failure] ?? "银行退回了这笔汇款")}</span>}
        {arrivals > 1 && <b>{t("银行说到账 {count} 次", { count: arrivals })}</b>}
        {sandbox && <span className="mut">{t("模拟汇款")}</span>}
      </span>
    );
  },
};

/** A number in full, for a reason that its owner and the trail can read. */
function Reveal({ card, onClose }: { card: DeskBankCard; onClose: () => void }) {
  const t = useTranslate();
  const [value, setValue] = useState<string>();
  return (
    <EventDialog
      id={card.id}
      event="card-show"
      prefix="reveal"
      title={t("尾号 {lastFour} 的完整卡号", { lastFour: card.lastFour })}
      cancel={t("关闭")}
      action={t("查看")}
      onClose={onClose}
      fields={{
        reason: { label: t("为什么要看（记入操作记录，客户看得到有人看过）"), minLength: 2, maxLength: 200 },
      }}
      send={async ({ reason }) =>
        setValue((await call(bankCardReveal, { body: { id: card.id, reason }, quiet: true })).value)
      }
      answer={value && <p className={`num ${styles.number}`}>{value.replace(/(.{4})(?=.)/g, "$1 ")}</p>}
    />
  );
}

/** Cards of all customers, without their numbers. */
export default function CustomerCards() {
  const t = useTranslate();
  const { permissions } = useAccess();
  const mayReveal = permissions.has("bank_card_reveal");
  const [shown, setShown] = useState<DeskBankCard>();
  const withReveal = useMemo(
    (): Cells => ({
      ...cells,
      lastFour({ row }) {
        const card = cardOf(row);
        const label = t("看尾号 {lastFour} 的完整卡号", { lastFour: card.lastFour });
        return (
          <span className={`num ${styles.lastFour}`}>
            {card.lastFour}
            {mayReveal && card.state !== "unbound" && (
              <IconButton icon="eye" label={label} onPress={() => setShown(card)} />
            )}
          </span>
        );
      },
    }),
    [mayReveal, t],
  );
  return (
    <>
      <ListScreen list={useList(bankCardList)} cells={withReveal} nothing="客户绑卡后会列在这里。" />
      {shown && <Reveal card={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
