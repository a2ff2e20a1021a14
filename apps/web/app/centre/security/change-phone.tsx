import {
  type ContactState,
  contactCode,
  contactProofMinutes,
  contactProve,
  mobilePhonePattern,
  normalizePhone,
  phoneChange,
  phoneHoldHours,
  phoneTakeBackDays,
} from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { CodeField, type SentCode } from "./code-field.tsx";
import styles from "./security.module.css";

type Way = "old_phone" | "identity" | "password";

/** What outlives a reload: the new number with its code. What proves who is asking does not. */
const nothing: { phone: string; newSent: SentCode | undefined } = { phone: "", newSent: undefined };

/** First a proof of who is asking, then the new number with a code that came there. */
export function ChangePhone({
  contact,
  onChanged,
  onClose,
}: {
  contact: ContactState;
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const proof = useSubmission();
  const change = useSubmission();
  const [way, setWay] = useState<Way>(contact.phoneProven ? "old_phone" : "password");
  const [oldSent, setOldSent] = useState<SentCode>();
  const [oldDigits, setOldDigits] = useState("");
  const [lastSix, setLastSix] = useState("");
  const [ticket, setTicket] = useState("");
  const { user } = useAccess();
  const [{ phone, newSent }, set, forget] = useDraft(`${user.user_id}_phone`, nothing, sessionStorage);
  const [digits, setDigits] = useState("");
  useUnsaved(phone !== "" || digits !== "");
  const number = normalizePhone(phone);
  const isNumber = mobilePhonePattern.test(number);

  const prove = () =>
    proof.submit(async () => {
      const body =
        way === "old_phone"
          ? { by: way, id: oldSent?.id ?? "", code: oldDigits }
          : { by: way, ...(way === "identity" && { lastSix: lastSix.trim() }) };
      setTicket((await call(contactProve, { body, quiet: true })).ticket);
    });
  const save = () =>
    change.submit(async () => {
      const body = { ticket, phone: number, id: newSent?.id ?? "", code: digits };
      const { state } = await call(phoneChange, { body, quiet: true });
      showToast({
        kind: "ok",
        text: state === "waiting" ? "已提出更换，{hours} 小时后生效" : "手机号已更换，其他登录已退出",
        values: { hours: phoneHoldHours },
      });
      forget();
      onChanged();
    });

  return (
    <div className={styles.inside}>
      <fieldset className={styles.ways} disabled={ticket !== ""}>
        <legend>{t("怎么证明是您")}</legend>
        <label>
          <input
            type="radio"
            name="way"
            checked={way === "old_phone"}
            disabled={!contact.phoneProven}
            onChange={() => setWay("old_phone")}
          />
          <span>
            <b>{t("旧号还能收短信")}</b>
            <small>{t("两条短信，2 分钟")}</small>
          </span>
        </label>
        <label>
          <input
            type="radio"
            name="way"
            checked={way === "identity"}
            disabled={!contact.identityCheck}
            onChange={() => setWay("identity")}
          />
          <span>
            <b>{t("旧号没了，用身份证核对")}</b>
            <small>
              {contact.identityCheck
                ? t("证件号后 6 位和登录密码，{hours} 小时后生效", { hours: phoneHoldHours })
                : t("要先有在用的实名认证")}
            </small>
          </span>
        </label>
        {!contact.phoneProven && (
          <label>
            <input type="radio" name="way" checked={way === "password"} onChange={() => setWay("password")} />
            <span>
              <b>{t("用登录密码")}</b>
              <small>{t("还没有验证过的手机号时可用，{hours} 小时后生效", { hours: phoneHoldHours })}</small>
            </span>
          </label>
        )}
      </fieldset>
      {ticket === "" ? (
        <form
          ref={proof.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void prove();
          }}
        >
          {way === "old_phone" ? (
            <CodeField
              id="old-phone-code"
              label={t("发到旧号 {phone} 的短信码", { phone: contact.phone })}
              sent={oldSent}
              digits={oldDigits}
              problem={proof.refused}
              send={async () => {
                const { id, phone: to } = await call(contactCode, { body: { to: "old-phone" }, quiet: true });
                return { id, to };
              }}
              onSent={setOldSent}
              onDigits={setOldDigits}
            />
          ) : way === "password" ? (
            <p>{t("还没有验证过的手机号：用登录密码证明是您本人。")}</p>
          ) : (
            <TextField
              id="last-six"
              label={t("实名认证证件号的后 6 位")}
              required
              maxLength={6}
              autoComplete="off"
              value={lastSix}
              onChange={setLastSix}
              problem={proof.problems.lastSix ?? proof.refused}
            />
          )}
          <div className={styles.go}>
            <Button onPress={onClose}>{t("不换了")}</Button>
            <Button
              kind="primary"
              type="submit"
              isDisabled={
                proof.busy ||
                (way === "old_phone" && (oldDigits.length !== 6 || !oldSent)) ||
                (way === "identity" && lastSix.trim().length !== 6)
              }
            >
              {t("下一步")}
            </Button>
          </div>
        </form>
      ) : (
        <form
          ref={change.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <p>
            <StateMark state="ok">{t("已验证，{count} 分钟内有效", { count: contactProofMinutes })}</StateMark>
          </p>
          <div className={styles.pair}>
            <TextField
              id="new-phone"
              label={t("新手机号")}
              required
              inputMode="tel"
              autoComplete="tel-national"
              value={phone}
              onChange={(value) => {
                set({ phone: value, newSent: undefined });
                change.mend("phone");
              }}
              problem={change.problems.phone ?? (phone.length >= 11 && !isNumber ? t("请输入正确的手机号") : undefined)}
            />
            <CodeField
              id="new-phone-code"
              label={t("发到新号的短信码")}
              sent={newSent}
              digits={digits}
              disabled={!isNumber}
              problem={change.problems.phone ? undefined : change.refused}
              send={async () => {
                const { id, phone: to } = await call(contactCode, {
                  body: { to: "new-phone", value: number },
                  quiet: true,
                });
                return { id, to };
              }}
              onSent={(code) => set({ newSent: code })}
              onDigits={setDigits}
            />
          </div>
          <div className={styles.after}>
            <b>{t("换好之后")}</b>
            <ul>
              <li>
                {contact.subscriptions > 0
                  ? t("旧号收不到告警短信，{count} 条推送改用新号", { count: contact.subscriptions })
                  : t("登录和找回密码都用新号")}
              </li>
              <li>{t("其他登录会退出，旧号收到一条通知")}</li>
              <li>{t("{days} 天内可以凭旧号撤回", { days: phoneTakeBackDays })}</li>
            </ul>
          </div>
          <div className={styles.go}>
            <Button onPress={onClose}>{t("不换了")}</Button>
            <Button kind="primary" type="submit" isDisabled={change.busy || !newSent || digits.length !== 6}>
              {t("更换手机号")}
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
