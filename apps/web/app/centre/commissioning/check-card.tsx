import type { Commissioning, CommissioningItem } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { typePaths } from "../../shared/work-orders/words.ts";
import { CheckControls } from "./check-controls.tsx";
import styles from "./commissioning.module.css";
import { NotePart } from "./note-part.tsx";
import { Readings } from "./readings.tsx";
import type { OpenList } from "./use-commissioning.ts";
import { checkNames, faults, howTo, resultLooks } from "./words.ts";

/** What a check is called. */
export function useCheckName(): (item: Pick<CommissioningItem, "check" | "partName">) => string {
  const t = useTranslate();
  const language = useLanguage();
  return ({ check, partName }) => t(checkNames[check], { part: partName[language] });
}

/** Why a check failed, and what to do about it. */
export function useFaultWords(): (item: CommissioningItem) => { what: string; act: string } | undefined {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const join = useJoin();
  return ({ id: _id, reason, said, readings, part }) => {
    if (reason === "") return undefined;
    const { what, act } = faults[reason];
    const others = join(
      readings
        .filter(({ faulty, key }) => faulty && (reason !== "swapped" || key !== part))
        .map(({ name }) => name[language]),
    );
    return { what: t(what, { said: nameOf(said), others }), act: t(act) };
  };
}

export function ResultMark({ item }: { item: Pick<CommissioningItem, "result"> }) {
  const t = useTranslate();
  const { word, mark, tone } = resultLooks[item.result];
  return (
    <span className={`state ${tone}`}>
      <Mark name={mark} />
      {t(word)}
    </span>
  );
}

function Failed({ item }: { item: CommissioningItem }) {
  const t = useTranslate();
  const words = useFaultWords()(item);
  const { permissions, user } = useAccess();
  if (item.result !== "failed" || words === undefined) return null;
  const mayOrder = permissions.has("work_order_submit") && user.tenant_type !== "group" && item.deviceId !== "";
  return (
    <div className={styles.failed} role="status">
      <b>{words.what}</b>
      <p>{words.act}</p>
      {mayOrder && (
        <Link className="btn" to={`${typePaths.after_sales.add}?device=${item.deviceId}`}>
          {t("提交工单，附最近 24 小时数据")}
        </Link>
      )}
    </div>
  );
}

/** Seconds that a trial has left. */
function Running({ item }: { item: CommissioningItem }) {
  const t = useTranslate();
  const now = useNow();
  if (item.result !== "running" || item.endMs === undefined || item.startMs === undefined) return null;
  const leftS = Math.max(0, Math.ceil((item.endMs - now) / 1000));
  return (
    <div className={styles.running} role="status">
      <p>
        {leftS > 0
          ? t("正在测，最多还要 {count} 秒。可以先走开，结果会留在这里。", { count: leftS })
          : t("时间到了，正在等服务器的结果。")}
      </p>
      <progress
        max={item.endMs - item.startMs}
        value={Math.min(now, item.endMs) - item.startMs}
        aria-label={t("这一项的进度")}
      />
    </div>
  );
}

interface CardProps {
  item: CommissioningItem;
  list: Commissioning;
  open: OpenList;
  mayEdit: boolean;
  onNext: (() => void) | undefined;
}

/** One check, as big as a thumb. */
export function CheckCard({ item, list, open, mayEdit, onNext }: CardProps) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const { time, dayTime } = useFormats();
  const title = useCheckName()(item);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setRefused(undefined);
    work()
      .catch((problem: unknown) => setRefused(tellIn(t, asApiError(problem))))
      .finally(() => setBusy(false));
  };
  const waiting = open.waiting.filter(({ itemId }) => itemId === item.id);
  const told = open.refused[item.id];
  const { result } = item;
  return (
    <section className={`card ${styles.check}`} aria-labelledby="check-title" data-result={result}>
      <header>
        <div>
          <h2 id="check-title">{title}</h2>
          {item.deviceId !== "" && (
            <p className="mut">
              <Translated text={item.deviceName} /> <span className="num">{item.serialNumber}</span>
            </p>
          )}
        </div>
        <ResultMark item={item} />
      </header>
      <p>{t(howTo[item.check], { part: item.partName[language] })}</p>
      <Running item={item} />
      <Failed item={item} />
      <Readings item={item} />
      {mayEdit && <CheckControls item={item} list={list} open={open} run={run} busy={busy} />}
      {waiting.map(({ key, atMs }) => (
        <p key={key} className="state notice">
          <Mark name="notice" />
          {t("{time} 答的，等网络发出", { time: time(atMs) })}
        </p>
      ))}
      <Refusal text={refused ?? (told ? t(told) : undefined)} />
      {item.answeredBy !== "" && result !== "running" && result !== "open" && (
        <p className="mut">
          {t("{name} · {time}", {
            name: nameOf(item.answeredBy),
            time: dayTime(parseWireDateTime(item.answerTime)),
          })}
        </p>
      )}
      {mayEdit && <NotePart key={item.id} item={item} open={open} />}
      {onNext && (
        <p className={styles.next}>
          <Button kind={result === "open" ? "plain" : "primary"} onPress={onNext}>
            {t("下一项")}
          </Button>
        </p>
      )}
    </section>
  );
}
