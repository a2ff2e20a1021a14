import {
  type RealNameReview,
  realNameClaim,
  realNameDecide,
  realNameRelease,
  realNameReviewDetail,
} from "@herdwise/contract";
import { realNameItems } from "@herdwise/contract/real-name-checks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { HistoryLines } from "../../shared/process/history-lines.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { eventWords, failureWords, kindWords, labelOf, stateWords } from "../../shared/real-name/words.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { Documents } from "./documents.tsx";
import styles from "./review.module.css";
import { reasonsFor, Verdict, type VerdictDraft } from "./verdict.tsx";

const isDecided = ({ state }: RealNameReview): boolean => state !== "waiting" && state !== "second_look";

/** Counts down to the end of a claim. @returns seconds; 0 when it is over */
function useLeft(until: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.round((until - now) / 1000));
}

function Remitted({ review }: { review: RealNameReview }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { remittance } = review;
  if (!remittance) return null;
  const at = (text: string): string => dayTime(parseWireDateTime(text));
  return (
    <section className="card" aria-labelledby="remitted-title">
      <header>
        <h3 id="remitted-title">{t("0.01 元测试汇款")}</h3>
        {remittance.sandbox && <span className="tag">{t("模拟")}</span>}
      </header>
      <ul className={styles.facts}>
        {remittance.sentTime !== "" && (
          <li>
            {t("已汇出")} · {remittance.reference} · {at(remittance.sentTime)}
          </li>
        )}
        {remittance.arrivedTime !== "" && (
          <li>
            {t("已到账")} · {at(remittance.arrivedTime)}
          </li>
        )}
        {remittance.arrivals > 1 && (
          <li className="state minor">
            <Mark name="minor" />
            {t("银行说到账了 {count} 次，请核对", { count: remittance.arrivals })}
          </li>
        )}
        <li>
          {remittance.state === "confirmed"
            ? t("客户填的金额对，错过 {count} 次", { count: 3 - remittance.triesLeft })
            : remittance.failure !== ""
              ? t(failureWords[remittance.failure as keyof typeof failureWords])
              : t("等客户填金额")}
        </li>
      </ul>
    </section>
  );
}

function Past({ review }: { review: RealNameReview }) {
  const t = useTranslate();
  const join = useJoin();
  return (
    <section className="card" aria-labelledby="past-title">
      <header>
        <h3 id="past-title">{t("经过")}</h3>
      </header>
      <HistoryLines
        lines={review.events.map(({ what, actor, fields, ...event }) => ({
          ...event,
          text: `${actor} ${t(eventWords[what])}`.trim(),
          note: join(fields.map((field) => t(labelOf(review.kind, field)))),
        }))}
      />
    </section>
  );
}

const noVerdicts: { version: number; drafts: Readonly<Record<string, VerdictDraft>> } = { version: 0, drafts: {} };

interface ExaminationProps {
  id: string;
  onDecided: () => void;
  onChanged: () => void;
  onClose: () => void;
  onStep: (step: 1 | -1) => void;
}

/** One application: the document, the typed items beside it, and the decision. */
export function Examination({ id, onDecided, onChanged, onClose, onStep }: ExaminationProps) {
  const t = useTranslate();
  const join = useJoin();
  const loaded = useQuery({
    queryKey: ["resource", "real_name_review", "detail", id],
    queryFn: ({ signal }) => call(realNameReviewDetail, { query: { id }, signal, quiet: true }),
    staleTime: 0,
  });
  const review = loaded.data;
  const { user } = useAccess();
  // What documents say of people ends with the tab.
  const [held, keep, forget] = useDraft(`${user.user_id}_verdicts_${id}`, noVerdicts, sessionStorage);
  // What was said of an earlier round is not said of this one.
  const drafts = review && held.version === review.version ? held.drafts : {};
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = review !== undefined;
  // The table gives way to the narrow list, so that the pressed row is gone.
  useEffect(() => {
    if (shown) heading.current?.focus();
  }, [shown]);
  const left = useLeft(review?.mine ? parseWireDateTime(review.claimUntil) : undefined);
  const mine = review?.mine === true && left > 0;
  const items = review
    ? realNameItems[review.kind].flatMap((rule) => {
        const item = review.items.find(({ field }) => field === rule.field);
        return item ? [{ rule, item }] : [];
      })
    : [];
  const draftOf = (field: string): VerdictDraft => {
    const item = items.find((one) => one.item.field === field)?.item;
    // What an earlier round accepted stays accepted until the reviewer says otherwise; the second look is one at everything.
    const accepted = item?.verdict === "accepted" && review?.state !== "second_look";
    return drafts[field] ?? { reason: accepted ? "none" : "", note: "", documentValue: "" };
  };
  const open = items.filter(({ item }) => draftOf(item.field).reason === "");
  const returned = items.filter(({ item }) => {
    const { reason } = draftOf(item.field);
    return reason !== "" && reason !== "none";
  });
  const set = (field: string, next: Partial<VerdictDraft>): void =>
    keep((now) => {
      const before = now.version === review?.version ? now.drafts : {};
      return {
        version: review?.version ?? 0,
        drafts: { ...before, [field]: { ...(before[field] ?? draftOf(field)), ...next } },
      };
    });
  const act = async (work: () => Promise<unknown>, done: () => void): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      done();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
      void loaded.refetch();
    } finally {
      setBusy(false);
    }
  };
  const claim = (): Promise<void> =>
    act(
      () => call(realNameClaim, { body: { id }, quiet: true }),
      () => {
        void loaded.refetch();
        onChanged();
      },
    );
  const release = (): Promise<void> =>
    act(
      () => call(realNameRelease, { body: { id }, quiet: true }),
      () => {
        void loaded.refetch();
        onChanged();
      },
    );
  const decide = (): Promise<void> => {
    const verdicts = items.flatMap(({ item: { field } }) => {
      const { reason, note, documentValue } = draftOf(field);
      return reason === "" ? [] : [{ field, reason, note, documentValue }];
    });
    return act(
      () => call(realNameDecide, { body: { id, version: review?.version ?? 0, verdicts }, quiet: true }),
      () => {
        forget();
        showToast({ kind: "ok", text: returned.length > 0 ? "已退回，客户会收到消息" : "已通过这一步" });
        onDecided();
      },
    );
  };
  const ready = mine && open.length === 0 && !busy;
  const keys = useRef<(event: KeyboardEvent) => void>(() => undefined);
  keys.current = (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
    const field = items[at]?.item.field ?? "";
    const go = (to: number): void => {
      const next = Math.min(items.length - 1, Math.max(0, to));
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    };
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "j" || event.key === "k") onStep(event.key === "j" ? 1 : -1);
    else if (mine && event.key === "1") {
      set(field, { reason: "none" });
      go(at + 1);
    } else if (mine && event.key === "2") set(field, { reason: reasonsFor(field)[0] ?? "mismatch" });
    else if (mine && /^[3-9]$/.test(event.key)) {
      const reason = reasonsFor(field)[Number(event.key) - 3];
      if (reason === undefined) return;
      set(field, { reason });
    } else return;
    event.preventDefault();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => keys.current(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  if (!review)
    return (
      <section className={`card ${styles.none}`}>
        {loaded.error ? (
          <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("申请")} />
        ) : (
          <TableSkeleton rows={8} />
        )}
      </section>
    );
  const decided = isDecided(review);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const resent = review.items.filter((item) => item.resent).map(({ field }) => t(labelOf(review.kind, field)));
  return (
    <>
      <section className={`card ${styles.paper}`} aria-labelledby="examined-title">
        <header className={styles.head}>
          <div>
            <h2 id="examined-title" lang="zh-CN" ref={heading} tabIndex={-1}>
              {review.title}
            </h2>
            <p className="mut">
              {t("{kind}认证，第 {count} 次提交", { kind: t(kindWords[review.kind]), count: review.round })}
              {review.upgrade && ` · ${t("个人升企业")}`}
              {resent.length > 0 && ` · ${t("只重送了 {items}", { items: join(resent) })}`}
            </p>
          </div>
          <span className={styles.space} />
          <IconButton icon="close" label={t("关闭")} onPress={onClose} />
          <p className={styles.claim}>
            {decided ? (
              <StateTag plain {...stateWords[review.state]} />
            ) : mine ? (
              <>
                <StateTag plain mark="notice" word="我已领取" />
                <span>
                  {t("剩")} <b className="num">{clock}</b>
                </span>
                <Button isDisabled={busy} onPress={() => void claim()}>
                  {t("续 30 分")}
                </Button>
                <Button isDisabled={busy} onPress={() => void release()}>
                  {t("放回")}
                </Button>
              </>
            ) : review.claimer !== "" && !review.mine ? (
              <StateTag plain mark="off" word="{name} 在审" values={{ name: review.claimer }} />
            ) : review.firstLookMine && review.state === "second_look" ? (
              <StateTag plain mark="notice" word="初审是您做的，等另一位审核员复核" />
            ) : (
              <Button kind="primary" isDisabled={busy} onPress={() => void claim()}>
                {t("领取")}
              </Button>
            )}
          </p>
          {problem && (
            <p className="state critical" role="alert">
              {problem}
            </p>
          )}
        </header>
        <Documents review={review} />
        <div className={styles.under}>
          <Remitted review={review} />
          <Past review={review} />
        </div>
      </section>
      <section className={`card ${styles.items}`} aria-labelledby="items-title">
        <header>
          <h2 id="items-title">{t("{count} 个字段", { count: items.length })}</h2>
          <span className="spacer" />
          <StateTag
            plain
            mark="ok"
            word="{count} 一致"
            values={{ count: items.length - open.length - returned.length }}
          />
          <span className={returned.length > 0 ? "state critical" : "state off"}>
            <Mark name="critical" />
            {t("{count} 不符", { count: returned.length })}
          </span>
        </header>
        <ol ref={list}>
          {items.map(({ rule, item }, index) => (
            <Verdict
              key={item.field}
              number={index + 1}
              review={review}
              rule={rule}
              item={item}
              draft={draftOf(item.field)}
              current={index === at}
              enabled={mine && !busy}
              onFocus={() => setAt(index)}
              onChange={(next) => set(item.field, next)}
            />
          ))}
        </ol>
        {!decided && (
          <div className={styles.decision}>
            <p>
              {!mine
                ? t("领取后才能决定。")
                : open.length > 0
                  ? t("还有 {count} 项没有结论", { count: open.length })
                  : returned.length > 0
                    ? t("将退回 {items}，其余 {count} 项不用再填。", {
                        items: join(returned.map(({ rule }) => t(rule.label))),
                        count: items.length - returned.length,
                      })
                    : review.kind === "enterprise" && review.state === "waiting"
                      ? t("都一致。通过后由另一位审核员复核。")
                      : t("都一致。通过后客户马上能用。")}
            </p>
            <div>
              {mine && open.length > 1 && (
                <Button
                  onPress={() => {
                    for (const { item } of open) set(item.field, { reason: "none" });
                  }}
                >
                  {t("其余都一致")}
                </Button>
              )}
              <span className={styles.space} />
              {returned.length > 0 ? (
                <Button kind="primary" isDisabled={!ready} onPress={() => void decide()}>
                  {t("退回 {count} 项", { count: returned.length })}
                </Button>
              ) : (
                <Button kind="primary" isDisabled={!ready} onPress={() => void decide()}>
                  {t(review.kind === "enterprise" && review.state === "waiting" ? "通过，转复核" : "通过")}
                </Button>
              )}
            </div>
            <p className={styles.keys}>
              <Icon name="list" small />
              {t("↑ ↓ 换字段，1 一致，2 不符，3 起选理由，J K 上下一件")}
            </p>
          </div>
        )}
      </section>
    </>
  );
}
