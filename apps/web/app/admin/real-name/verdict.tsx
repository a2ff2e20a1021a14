import {
  type RealNameFinding,
  type RealNameItem,
  type RealNameReason,
  type RealNameReview,
  realNameReasons,
  realNameReveal,
} from "@herdwise/contract";
import { licenceWithoutEnd, type RealNameItemRule } from "@herdwise/contract/real-name-checks";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { DifferenceText } from "../../shared/real-name/difference-text.tsx";
import { reasonWord, valueWord } from "../../shared/real-name/words.ts";
import styles from "./review.module.css";

export interface VerdictDraft {
  /** "" while nothing is said. */
  reason: RealNameReason | "";
  note: string;
  /** What the document says, as the reviewer reads it. */
  documentValue: string;
}

const findingWords: Readonly<Record<RealNameFinding, { mark: MarkName; tone: string; text: string }>> = {
  check_fits: { mark: "ok", tone: "ok", text: "校验位正确" },
  expiring: { mark: "minor", tone: "minor", text: "还有 {days} 天到期" },
  expired: { mark: "critical", tone: "critical", text: "已过期 {days} 天" },
  no_end: { mark: "ok", tone: "ok", text: "长期" },
  used_elsewhere: { mark: "major", tone: "major", text: "另一位客户已用它通过认证，请核实" },
};
const hidden: readonly string[] = ["idNumber", "phone", "bankAccount"];

/** Reasons that fit an item: a seal stands on pictures, an end on the licence. */
export const reasonsFor = (field: string): readonly RealNameReason[] =>
  realNameReasons.filter((reason) => {
    if (reason === "none") return false;
    if (reason === "seal") return field === "letterPicture" || field === "licencePicture";
    if (reason === "expired" || reason === "expiring") return field === "licenceUntil" || field === "licencePicture";
    return true;
  });

/** A shortened number, in full for who entered the own password; the trail notes who looked. */
function Hidden({ review, item }: { review: RealNameReview; item: RealNameItem }) {
  const t = useTranslate();
  const [full, setFull] = useState<string>();
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  const reveal = () =>
    submit(async () => {
      const { value } = await call(realNameReveal, { body: { id: review.id, field: item.field }, quiet: true });
      setFull(value);
    });
  return (
    <>
      <span className="num">{full ?? item.value}</span>{" "}
      {full === undefined && (
        <Button kind="link" isDisabled={busy} onPress={() => void reveal()}>
          {t("看全号")}
        </Button>
      )}
      {refused && <span className="state critical">{refused}</span>}
    </>
  );
}

interface VerdictProps {
  number: number;
  review: RealNameReview;
  rule: RealNameItemRule;
  item: RealNameItem;
  draft: VerdictDraft;
  current: boolean;
  enabled: boolean;
  onFocus: () => void;
  onChange: (next: Partial<VerdictDraft>) => void;
}

/** One typed item with what was found of it, and what the reviewer says. */
export function Verdict({ number, review, rule, item, draft, current, enabled, onFocus, onChange }: VerdictProps) {
  const t = useTranslate();
  const { field, form } = rule;
  const label = t(rule.label);
  const against = draft.reason !== "" && draft.reason !== "none";
  const findings = review.findings.filter((one) => one.field === field);
  const masked = hidden.includes(form);
  const readable = !masked && form !== "picture";
  return (
    <li className={styles.item} data-current={current || undefined} onFocus={onFocus}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <span className={styles.name}>
        {label}
        {item.resent && <span className="tag notice">{t("重送")}</span>}
      </span>
      <span className={styles.value}>
        {form === "picture" ? (
          t(item.pictureId === "" ? "没有图片" : "见图片")
        ) : masked ? (
          <Hidden review={review} item={item} />
        ) : (
          <span className="num" {...(item.value === licenceWithoutEnd ? {} : { lang: "zh-CN" })}>
            {valueWord(item, t)}
          </span>
        )}
      </span>
      <fieldset className={styles.says} aria-label={t("{label}的结论", { label })}>
        <button
          type="button"
          className={styles.yes}
          aria-pressed={draft.reason === "none"}
          disabled={!enabled}
          onClick={() => onChange({ reason: "none" })}
        >
          <Mark name="ok" />
          {t("相符")}
        </button>
        <button
          type="button"
          className={styles.no}
          aria-pressed={against}
          disabled={!enabled}
          onClick={() => onChange({ reason: reasonsFor(field)[0] ?? "mismatch" })}
        >
          <Mark name="critical" />
          {t("不符")}
        </button>
      </fieldset>
      {findings.map(({ finding, days }) => {
        const { mark, tone, text } = findingWords[finding];
        return (
          <p key={finding} className={`state ${tone} ${styles.finding}`}>
            <Mark name={mark} />
            {t(text, { days: days ?? 0 })}
          </p>
        );
      })}
      {item.verdict === "returned" && !enabled && item.reason !== "" && (
        <p className={`state critical ${styles.finding}`}>
          <Mark name="critical" />
          {t(reasonWord(item.reason as RealNameReason, review.kind))}
          {item.note !== "" && ` · ${item.note}`}
        </p>
      )}
      {against && (
        <div className={styles.against}>
          <fieldset className={styles.reasons} aria-label={t("理由")}>
            {reasonsFor(field).map((reason, index) => (
              <button
                key={reason}
                type="button"
                aria-pressed={draft.reason === reason}
                disabled={!enabled}
                onClick={() => onChange({ reason })}
              >
                {t(reasonWord(reason, review.kind))}
                <kbd>{index + 3}</kbd>
              </button>
            ))}
          </fieldset>
          {readable && (
            <>
              <TextField
                id={`document-${field}`}
                label={t("证件上写的是（可以不填）")}
                autoComplete="off"
                maxLength={100}
                disabled={!enabled}
                value={draft.documentValue}
                onChange={(documentValue) => onChange({ documentValue })}
              />
              {draft.documentValue !== "" && draft.documentValue !== item.value && (
                <DifferenceText
                  typed={item.value}
                  document={draft.documentValue}
                  typedLabel={t("客户填的")}
                  documentLabel={t("证件上")}
                />
              )}
            </>
          )}
          <TextField
            id={`note-${field}`}
            label={t("给客户的话（可以不填）")}
            autoComplete="off"
            maxLength={200}
            disabled={!enabled}
            value={draft.note}
            onChange={(note) => onChange({ note })}
          />
        </div>
      )}
    </li>
  );
}
