import { type CustomerSecret, customerReasonLength, customerReveal } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { EventDialog } from "../../shared/process/event-dialog.tsx";
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
  const { permissions } = useAccess();
  const mayShow = permissions.has("customer_show");
  const [full, setFull] = useState<string>();
  const [asked, setAsked] = useState(false);
  const title = t("查看完整的{what}", { what: t(secretWords[field]) });
  if (masked === "") return <span>--</span>;
  return (
    <span className={styles.secret}>
      <span className="num">{full ?? masked}</span>
      {mayShow && full === undefined && (
        <Button kind="link" onPress={() => setAsked(true)} aria-label={title}>
          {t("查看")}
        </Button>
      )}
      {asked && (
        <EventDialog
          id={id}
          event={`show_${field}${memberId ?? ""}`}
          prefix="reveal"
          title={title}
          action={t("查看")}
          onClose={() => setAsked(false)}
          fields={{
            reason: {
              label: t("为什么要看"),
              hint: t("例如：客户来电改预约，核对本人"),
              minLength: customerReasonLength.min,
              maxLength: customerReasonLength.max,
            },
          }}
          send={async ({ reason }) => {
            const body = { id, field, reason, ...(memberId && { memberId }) };
            setFull((await call(customerReveal, { body, quiet: true })).value);
            setAsked(false);
            onShown();
          }}
        >
          <p>{t("谁、什么时候、为什么看的，会写进操作审计，客户在自己的记录里也看得到。")}</p>
        </EventDialog>
      )}
    </span>
  );
}
