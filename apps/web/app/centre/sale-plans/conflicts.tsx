import type { BoardConflict, BoardDay, BoardPlan, PlanBoard } from "@herdwise/contract";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./board.module.css";
import { conflictNames, type PlanWords } from "./plan-words.ts";

interface ConflictsProps {
  board: PlanBoard;
  words: PlanWords;
  mayEdit: boolean;
  busy: boolean;
  onMend: (conflict: BoardConflict) => void;
  /** Why the last fix was refused. */
  refused: ReactNode;
}

/** Slots of a day that is over its capacity, and what finds none. */
function Slots({ at, over }: { at: BoardDay; over: number }) {
  const t = useTranslate();
  return (
    <p className={styles.slots}>
      {at.slots.map(({ from, to, mostVehicles }) => (
        <span key={from}>
          <b>
            {from}–{to}
          </b>
          {t("{count} 车", { count: mostVehicles })}
        </span>
      ))}
      <span data-of="none">
        <b>{t("没有车位")}</b>
        {t("{count} 车", { count: over })}
      </span>
    </p>
  );
}

/** What is wrong with the week's plans, worst first, each with what takes it away. */
export function Conflicts({ board, words, mayEdit, busy, onMend, refused }: ConflictsProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { permissions } = useAccess();
  const told = (conflict: BoardConflict) => {
    const { kind, vehicles, plans, fix } = conflict;
    const field = board.fields.find(({ id }) => id === conflict.field);
    const at = field?.days.find(({ day }) => day === conflict.day);
    const place = { field: nameOf(field?.name ?? ""), day: words.day(conflict.day) };
    const of = (id: string): BoardPlan | undefined => at?.plans.find((plan) => plan.id === id);
    const first = of(plans[0] ?? "");
    const named = t("{field} {day} 的 {plan}", { ...place, plan: first ? words.plan(first) : "" });
    const fixed = of(fix.plan);
    const action =
      fix.act === "move" && fix.day !== undefined
        ? t("移 {heads} 头到 {day}", { heads: fixed?.heads ?? 0, day: words.day(fix.day) })
        : t(fix.act === "price" ? "去填价格" : fixed?.state === "approved" ? "打开，退回再改" : "打开计划");
    const texts: Record<BoardConflict["kind"], () => readonly [title: string, body: ReactNode]> = {
      no_slot: () => [
        t("{field} {day} 不装车，排了 {count} 个计划", { ...place, count: plans.length }),
        plans.map((id) => {
          const plan = of(id);
          return plan && <p key={id}>{words.plan(plan)}</p>;
        }),
      ],
      over_capacity: () => [
        t("{field} {day}，要 {needed} 车，只有 {all} 个车位", {
          ...place,
          needed: at?.vehicles ?? 0,
          all: at?.capacity ?? 0,
        }),
        at && <Slots key="slots" at={at} over={vehicles} />,
      ],
      no_band: () => [named, <p key="why">{t("这一天没有体重段盖住全部均重，过磅后结算不了。")}</p>],
      no_price: () => [named, <p key="why">{t("定价和合同价的计划没有价格，不能发布。")}</p>],
    };
    const [title, body] = texts[kind]();
    // Customers see it: it is no draft any more that could be moved.
    const isSeen = kind === "over_capacity" && fix.act === "open" && fixed?.state === "published";
    return { title, body, action, note: isSeen && t("计划已发布，不能移：关闭它，或给那天加车位。") };
  };
  // Plans that customers see already have nothing to wait for.
  const waits = board.conflicts.some(({ field, day, plans }) =>
    board.fields
      .find(({ id }) => id === field)
      ?.days.find((one) => one.day === day)
      ?.plans.some(({ id, state }) => plans.includes(id) && (state === "draft" || state === "approved")),
  );
  return (
    <section className={`card ${styles.conflicts}`} aria-label={t("冲突")}>
      <header>
        <h2>{t("冲突")}</h2>
        {waits && <span className="mut">{t("先处理，再发布")}</span>}
        {refused}
      </header>
      {board.conflicts.length === 0 && <p className={styles.note}>{t("这一周没有冲突。")}</p>}
      <ul>
        {board.conflicts.map((conflict) => {
          const { title, body, action, note } = told(conflict);
          const toBands = conflict.fix.act === "bands";
          return (
            <li key={`${conflict.kind} ${conflict.field} ${conflict.day} ${conflict.plans.join()}`}>
              <StateTag word={conflictNames[conflict.kind]} mark={conflict.severity} />
              <div>
                <b>{title}</b>
                {body}
                {note && <p>{note}</p>}
              </div>
              {toBands && permissions.has("weight_band_view") && (
                <Link className="btn" to="/trade/weightBand">
                  {t("去补体重段")}
                </Link>
              )}
              {!toBands && mayEdit && (
                <Button small isDisabled={busy} onPress={() => onMend(conflict)}>
                  {action}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
