import { bankCardDeskPage, bankCardReveal, type DeskBankCard } from "@herdwise/contract";
import { bankCardStates } from "@herdwise/contract/bank-card-rules";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { cardFailureWords, cardWords } from "../../shared/cancellation/words.ts";
import { IconButton } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Picker } from "../../shared/lists/filters.tsx";
import { known } from "../../shared/lists/list-address.ts";
import { EventDialog } from "../../shared/process/event-dialog.tsx";
import { keywordOf, QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./cards.module.css";

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
  const { dayTime } = useFormats();
  const { permissions } = useAccess();
  const queue = useQueue({
    key: ["customer-cards"],
    read: (search) => ({ state: known(search.get("state"), bankCardStates), keyword: keywordOf(search) }),
    load: (query, signal) => call(bankCardDeskPage, { query, signal, quiet: true }),
  });
  const [shown, setShown] = useState<DeskBankCard>();
  const count = queue.loaded.data?.total;
  return (
    <>
      <QueueScreen
        queue={queue}
        title={t("客户银行卡")}
        what={t("银行卡")}
        head={count !== undefined && <span className="mut num">{t("{count} 张卡", { count })}</span>}
        filters={
          <Picker
            label={t("状态")}
            value={queue.values.state ?? ""}
            options={bankCardStates.map((one) => [one, t(cardWords[one].word)])}
            onChange={(state) => queue.change({ state })}
          />
        }
        word={t("客户、尾号")}
        empty={[t("还没有客户绑卡"), t("客户绑卡后会列在这里。")]}
      >
        {(cards) => (
          <ul className={styles.rows}>
            {cards.map((card) => {
              const { mark, word } = cardWords[card.state];
              return (
                <li key={card.id}>
                  <div>
                    <b>
                      <Translated text={card.customer} />
                    </b>
                    <small>
                      <Translated text={card.bankName} /> ·{" "}
                      <span className="num">{t("尾号 {lastFour}", { lastFour: card.lastFour })}</span>
                      {card.holder !== "" && <span lang="zh-CN"> · {card.holder}</span>}
                      {card.phone !== "" && <span className="num"> · {card.phone}</span>}
                    </small>
                  </div>
                  <div>
                    <StateTag plain mark={mark} word={card.isDefault ? "已验证，默认收款" : word} />
                    {card.failure !== "" && <small>{t(cardFailureWords[card.failure] ?? "银行退回了这笔汇款")}</small>}
                    {card.arrivals > 1 && (
                      <small className={styles.bad}>{t("银行说到账 {count} 次", { count: card.arrivals })}</small>
                    )}
                    {card.sandbox && <small>{t("模拟汇款")}</small>}
                  </div>
                  <small className="num">{dayTime(parseWireDateTime(card.createTime))}</small>
                  {permissions.has("bank_card_reveal") && card.state !== "unbound" ? (
                    <IconButton
                      icon="eye"
                      label={t("看尾号 {lastFour} 的完整卡号", { lastFour: card.lastFour })}
                      onPress={() => setShown(card)}
                    />
                  ) : (
                    <span />
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </QueueScreen>
      {shown && <Reveal card={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
