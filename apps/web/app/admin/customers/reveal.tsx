import { type CustomerSecret, customerReasonLength, customerReveal } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./customers.module.css";
import { secretWords } from "./words.ts";

interface SecretProps {
  id: string;
  field: CustomerSecret;
  memberId?: string;
  /** As it is without the right; "" where there is none. */
  masked: string;
  onShown: () => void;
}

/** A shortened value, in full for who says why and enters the password; the customer sees that somebody looked. */
export function Secret({ id, field, memberId, masked, onShown }: SecretProps) {
  const t = useTranslate();
  const { permissions, user } = useAccess();
  const mayShow = permissions.has("customer_show");
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLDivElement>();
  const [full, setFull] = useState<string>();
  const [asked, setAsked] = useState(false);
  const place = `${user.user_id}_show_${id}_${field}${memberId ?? ""}`;
  const [{ reason }, set, forget] = useDraft(place, { reason: "" });
  const show = async (): Promise<void> => {
    const body = { id, field, reason, ...(memberId && { memberId }) };
    await submit(async () => {
      const { value } = await call(customerReveal, { body, quiet: true });
      setFull(value);
      setAsked(false);
      forget();
      onShown();
    });
  };
  if (masked === "") return <span>--</span>;
  return (
    <span className={styles.secret}>
      <span className="num">{full ?? masked}</span>
      {mayShow && full === undefined && (
        <Button
          kind="link"
          onPress={() => setAsked(true)}
          aria-label={t("查看完整的{what}", { what: t(secretWords[field]) })}
        >
          {t("查看")}
        </Button>
      )}
      {asked && (
        <Dialog
          title={t("查看完整的{what}", { what: t(secretWords[field]) })}
          onClose={() => setAsked(false)}
          footer={
            <>
              <Button onPress={() => setAsked(false)}>{t("取消")}</Button>
              <Button
                kind="primary"
                isDisabled={busy || [...reason.trim()].length < customerReasonLength.min}
                onPress={() => void show()}
              >
                {t("查看")}
              </Button>
            </>
          }
        >
          <div ref={form} className={styles.form}>
            <p>{t("谁、什么时候、为什么看的，会写进操作审计，客户在自己的记录里也看得到。")}</p>
            <TextField
              id="reveal-reason"
              label={t("为什么要看")}
              value={reason}
              problem={problems.reason}
              autoComplete="off"
              maxLength={customerReasonLength.max}
              hint={t("例如：客户来电改预约，核对本人")}
              onChange={(value) => {
                set({ reason: value });
                mend("reason");
              }}
            />
            <Refusal text={refused} />
          </div>
        </Dialog>
      )}
    </span>
  );
}
