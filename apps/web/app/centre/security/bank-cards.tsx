import {
  type BankCard,
  type BankCards,
  bankCardBind,
  bankCardCode,
  bankCardConfirm,
  bankCardDefault,
  bankCardKeepDefault,
  bankCardList,
  bankCardRemitAgain,
  bankCardUnbind,
} from "@herdwise/contract";
import {
  bankCardWords,
  cardBankOf,
  cardDigits,
  cardsPerTenant,
  isCardNumber,
} from "@herdwise/contract/bank-card-rules";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { cardFailureWords } from "../../shared/cancellation/words.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { MenuButton } from "../../shared/kit/menu.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./bank-cards.module.css";
import { CodeField, type SentCode } from "./code-field.tsx";

/** The bank answers within seconds: cards that wait for it are looked at again, ms. */
const renewMs = 3000;

/** Number in groups of four, as on the card. */
const grouped = (text: string): string =>
  cardDigits(text)
    .replace(/\D/g, "")
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, "$1 ");

/** What outlives a reload, in this tab alone. */
const nothing: { number: string; bankName: string; phone: string; sent: SentCode | undefined } = {
  number: "",
  bankName: "",
  phone: "",
  sent: undefined,
};

function BindDialog({ holder, onDone, onClose }: { holder: string; onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const { user } = useAccess();
  const [{ number, bankName, phone, sent }, set, forget] = useDraft(`${user.user_id}_card`, nothing, sessionStorage);
  const [digits, setDigits] = useState("");
  useUnsaved(number !== "" || phone !== "");
  const plain = cardDigits(number);
  const right = isCardNumber(plain);
  const { bank, credit } = cardBankOf(plain);
  const wrong =
    plain.length >= 16 && !right
      ? t("卡号不对，请核对 16 到 19 位数字")
      : credit
        ? t("信用卡不能收款，请用借记卡")
        : undefined;
  return (
    <FormDialog
      title={t("绑银行卡")}
      action={t("绑定并汇小额")}
      ready={right && !credit && sent !== undefined && digits.length === 6 && (bank !== "" || bankName.trim() !== "")}
      of={submission}
      send={() => {
        const body = { number: plain, bankName, phone, codeId: sent?.id ?? "", code: digits };
        return call(bankCardBind, { body, quiet: true });
      }}
      onDone={() => {
        showToast({ kind: "ok", text: "卡已绑定，正在汇小额" });
        forget();
        onDone();
      }}
      onClose={onClose}
    >
      <p className={styles.holder}>
        {t("户名")}
        <b lang="zh-CN">{holder}</b>
        <small>{t("与实名认证一致，不能改")}</small>
      </p>
      <TextField
        id="card-number"
        label={t("借记卡卡号")}
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={23}
        value={number}
        onChange={(text) => {
          set({ number: grouped(text) });
          mend("number");
        }}
        problem={problems.number ?? wrong}
        hint={bank === "" ? t("16 到 19 位，在卡的正面") : <Translated text={bank} />}
      />
      {plain.length >= 8 && bank === "" && !credit && (
        <TextField
          id="card-bank"
          label={t("银行")}
          required
          autoComplete="off"
          maxLength={40}
          value={bankName}
          onChange={(text) => {
            set({ bankName: text });
            mend("bankName");
          }}
          problem={problems.bankName}
          hint={t("认不出卡号开头，请填开卡的银行")}
        />
      )}
      <TextField
        id="card-phone"
        label={t("银行预留手机")}
        required
        inputMode="tel"
        autoComplete="tel"
        maxLength={20}
        value={phone}
        onChange={(text) => {
          set({ phone: text, sent: undefined });
          mend("phone");
        }}
        problem={problems.phone}
      />
      <CodeField
        id="card-code"
        label={t("短信验证码")}
        sent={sent}
        digits={digits}
        disabled={!/^1\d{10}$/.test(phone.replace(/\D/g, ""))}
        problem={problems.code}
        send={async () => {
          const answer = await call(bankCardCode, { body: { phone }, quiet: true });
          return { id: answer.id, to: answer.phone };
        }}
        onSent={(code) => set({ sent: code })}
        onDigits={setDigits}
      />
      <p className={styles.note}>{t("我们往卡里汇不到 1 元，到账后您填金额，卡就验证好了。这笔钱不用还。")}</p>
    </FormDialog>
  );
}

/** The amount as the account shows it, in yuan. */
function Amount({ card, onDone }: { card: BankCard; onDone: () => void }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const [yuan, setYuan] = useState("");
  const fen = /^\d{1,2}(\.\d{1,2})?$/.test(yuan) ? Math.round(Number(yuan) * 100) : undefined;
  return (
    <form
      ref={form}
      className={styles.amount}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (fen === undefined || fen < 1) return;
        void submit(async () => {
          await call(bankCardConfirm, { body: { id: card.id, amountFen: fen }, quiet: true });
          showToast({ kind: "ok", text: "银行卡验证通过" });
        }).finally(onDone);
      }}
    >
      <TextField
        id={`amount-${card.id}`}
        label={t("收到了多少元")}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        value={yuan}
        onChange={(text) => {
          setYuan(text.normalize("NFKC").replace(/[^\d.]/g, ""));
          mend("amountFen");
        }}
        problem={problems.amountFen ?? refused}
        hint={
          card.sandboxFen > 0
            ? t("模拟汇款：账上会是 {yuan} 元", { yuan: number(card.sandboxFen / 100, 2) })
            : t("看银行短信或流水，例如 0.37")
        }
        button={
          <Button kind="primary" type="submit" isDisabled={busy || fen === undefined || fen < 1}>
            {t("确认金额")}
          </Button>
        }
      />
    </form>
  );
}

type Asked = { what: "default" | "unbind"; card: BankCard };

function CardRow({ card, onAsk, onChanged }: { card: BankCard; onAsk: (asked: Asked) => void; onChanged: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { mark, word } = bankCardWords[card.state];
  const act = (work: Promise<unknown>, text: string): void =>
    void work
      .then(
        () => showToast({ kind: "ok", text }),
        // A refusal shows as a toast.
        () => undefined,
      )
      .finally(onChanged);
  const due = parseWireDateTime(card.defaultTime);
  const actions = [
    ...(card.state === "verified" && !card.isDefault && due === undefined
      ? [
          {
            id: "default",
            icon: "check" as const,
            name: t("设为默认收款"),
            onAction: () => onAsk({ what: "default", card }),
          },
        ]
      : []),
    ...(card.state === "failed" || card.state === "expired"
      ? [
          {
            id: "again",
            icon: "reload" as const,
            name: t("再汇一次"),
            onAction: () => act(call(bankCardRemitAgain, { body: { id: card.id } }), "正在汇小额"),
          },
        ]
      : []),
    {
      id: "unbind",
      icon: "trash" as const,
      name: t("解绑"),
      danger: true,
      onAction: () => onAsk({ what: "unbind", card }),
    },
  ];
  let line: ReactNode = null;
  if (card.state === "failed") line = <small>{t(cardFailureWords[card.failure] ?? "银行退回了这笔汇款")}</small>;
  else if (due !== undefined)
    line = (
      <small className={styles.due}>
        {t("{time} 起默认收款", { time: dayTime(due) })}
        <Button
          kind="link"
          onPress={() => act(call(bankCardKeepDefault, { body: { id: card.id } }), "默认收款卡不更换了")}
        >
          {t("停止更换")}
        </Button>
      </small>
    );
  return (
    <li>
      <div className={styles.plastic} data-plain={!card.isDefault || undefined} aria-hidden="true">
        <i />
        <span className="num">{card.lastFour}</span>
      </div>
      <div>
        <b>
          <Translated text={card.bankName} />
        </b>
        <p className="num">
          {t("尾号 {lastFour}", { lastFour: card.lastFour })} · <span lang="zh-CN">{card.holder}</span>
        </p>
        <StateTag plain mark={mark} word={card.isDefault ? "已验证，默认收款" : word} />
        {line}
        {card.state === "arrived" && <Amount card={card} onDone={onChanged} />}
      </div>
      <MenuButton
        button={<IconButton icon="more" label={t("尾号 {lastFour} 的操作", { lastFour: card.lastFour })} />}
        label={t("尾号 {lastFour} 的操作", { lastFour: card.lastFour })}
        actions={actions}
      />
    </li>
  );
}

/** Cards that the customer is paid to. */
export function BankCardsPart({ onChanged }: { onChanged: () => void }) {
  const t = useTranslate();
  const { value, error, reload } = useLoad<BankCards>("bank cards", (signal) =>
    call(bankCardList, { signal, quiet: true }),
  );
  const [binding, setBinding] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const waits = value?.cards.some(({ state }) => state === "ordered" || state === "sent") ?? false;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(reload, renewMs);
    return () => clearInterval(timer);
  }, [waits, reload]);
  const changed = (): void => {
    reload();
    onChanged();
  };
  const run = async ({ what, card }: Asked): Promise<void> => {
    try {
      const { defaultTime } = await call(what === "unbind" ? bankCardUnbind : bankCardDefault, {
        body: { id: card.id },
        quiet: true,
      });
      const text =
        what === "unbind" ? "银行卡已解绑" : defaultTime === "" ? "默认收款卡已设好" : "24 小时后更换默认收款卡";
      showToast({ kind: "ok", text });
    } catch (refusal) {
      showToast({ kind: "error", text: tellIn(t, asApiError(refusal)) });
    }
    changed();
  };
  const full = (value?.cards.length ?? 0) >= cardsPerTenant;
  return (
    <section className="card" aria-labelledby="cards-title">
      <header>
        <h2 id="cards-title">{t("银行卡")}</h2>
        <span className="spacer" />
        {value && value.holder !== "" && (
          <Button icon="plus" isDisabled={full} onPress={() => setBinding(true)}>
            {t("加卡")}
          </Button>
        )}
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("银行卡")} kept={value !== undefined} />}
      {value?.holder === "" && (
        <p className="safe-none">
          {t("银行卡要与实名认证的名称一致，先完成认证。")}{" "}
          <Link className="link" to="/selfCenter/realName">
            {t("去认证")}
          </Link>
        </p>
      )}
      {value && value.holder !== "" && value.cards.length === 0 && (
        <p className="safe-none">{t("还没有绑卡。结算款和退款会打到默认收款卡。")}</p>
      )}
      <ul className={styles.cards} aria-busy={!value && !error}>
        {value
          ? value.cards.map((card) => <CardRow key={card.id} card={card} onAsk={setAsked} onChanged={changed} />)
          : !error && (
              <li>
                <div className={styles.plastic} data-plain />
                <div>
                  <Skeleton width={12} />
                </div>
              </li>
            )}
      </ul>
      {full && <p className={styles.foot}>{t("最多 {count} 张卡。", { count: cardsPerTenant })}</p>}
      {binding && value && <BindDialog holder={value.holder} onDone={changed} onClose={() => setBinding(false)} />}
      {asked && (
        <Confirm
          title={
            asked.what === "unbind"
              ? t("解绑尾号 {lastFour} 的卡？", { lastFour: asked.card.lastFour })
              : t("用尾号 {lastFour} 的卡收款？", { lastFour: asked.card.lastFour })
          }
          action={t(asked.what === "unbind" ? "解绑" : "设为默认收款")}
          calm={asked.what === "default"}
          onConfirm={async () => {
            const one = asked;
            setAsked(undefined);
            void run(one);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {asked.what === "unbind"
              ? t("卡号和预留手机马上清掉。再用要重新绑定和验证。")
              : t("已有默认收款卡时，24 小时后更换，所有管钱的成员都会收到消息，谁都能停止。")}
          </p>
        </Confirm>
      )}
    </section>
  );
}
