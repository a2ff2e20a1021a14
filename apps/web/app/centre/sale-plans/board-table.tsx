import type { BoardConflict, BoardDay, BoardPlan, PlanBoard } from "@herdwise/contract";
import { headsToLoad } from "@herdwise/contract/plan-conflicts";
import { type ReactNode, useState } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useMedia } from "../../shared/kit/use-media.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { yuan } from "../../shared/prices/price-words.ts";
import styles from "./board.module.css";
import { cardState, conflictNames, isChoosable, type PlanWords } from "./plan-words.ts";

type BoardField = PlanBoard["fields"][number];

interface BoardTableProps {
  board: PlanBoard;
  /** Those of the board that are shown. */
  fields: readonly BoardField[];
  words: PlanWords;
  chosen: ReadonlySet<string>;
  /** Id of the plan whose drawer is open. */
  openId: string;
  mayEdit: boolean;
  busy: boolean;
  onToggle: (id: string) => void;
  onOpen: (plan: BoardPlan) => void;
  onAdd: (field: string, day: string) => void;
  onMend: (conflict: BoardConflict) => void;
  /** The day that a phone shows, yyyy-MM-dd; another text for today's or the first one. */
  day: string;
  onDay: (day: string) => void;
}

/** Most vehicles that are drawn one by one. */
const mostTicks = 12;

/** Capacity of a day as ticks: used, over, free. */
function Capacity({ day: { vehicles, capacity } }: { day: BoardDay }) {
  const t = useTranslate();
  const isOver = vehicles > capacity;
  const ticks = Math.max(vehicles, capacity);
  return (
    <span className={styles.capacity} data-over={isOver || undefined}>
      {ticks <= mostTicks && (
        <span className={styles.ticks} aria-hidden="true">
          {Array.from({ length: ticks }, (_, at) => (
            // Ticks have no other key.
            <i key={at} data-of={at >= capacity ? "over" : at < vehicles ? "used" : undefined} />
          ))}
        </span>
      )}
      <span>{t("{used}/{all} 车", { used: vehicles, all: capacity })}</span>
    </span>
  );
}

interface CardProps {
  plan: BoardPlan;
  name: string;
  words: PlanWords;
  /** The worst one. */
  conflict: BoardConflict | undefined;
  chosen: boolean;
  open: boolean;
  onToggle: (() => void) | undefined;
  onOpen: () => void;
}

function PlanCard({ plan, name, words, conflict, chosen, open, onToggle, onOpen }: CardProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const state = cardState(plan);
  const sells = state === "published" || state === "sold" || state === "closed";
  return (
    <div
      className={styles.plan}
      data-state={state}
      data-conflict={conflict?.severity}
      data-chosen={chosen || undefined}
      data-open={open || undefined}
    >
      {onToggle && (
        <label className={styles.pick}>
          <CheckBox checked={chosen} aria-label={t("选择 {name}", { name })} onChange={onToggle} />
        </label>
      )}
      <button type="button" onClick={onOpen} title={plan.number}>
        <span className={styles.kind}>{words.category(plan.category)}</span>
        <span className={styles.heads}>
          <span>
            <b>{number(headsToLoad(plan))}</b> {t("头")}
          </span>{" "}
          <span>{words.kg(plan)}</span>
        </span>
        <span className={styles.stands}>
          <b>{words.state(plan)}</b> {words.mode(plan.mode)}
          {plan.pricePerKg !== undefined && ` ${yuan(plan.pricePerKg)}`}
        </span>
        {sells && (
          <>
            <span className={styles.sold} aria-hidden="true">
              <i style={{ width: `${(plan.taken / plan.heads) * 100}%` }} />
            </span>
            <span className={styles.stands}>
              {state === "closed"
                ? t("原计划 {count}", { count: number(plan.heads) })
                : state !== "sold" && t("售 {count}", { count: number(plan.taken) })}
            </span>
          </>
        )}
        {conflict && (
          <span className={`state ${conflict.severity}`}>
            <Mark name={conflict.severity} />
            {conflict.kind === "over_capacity"
              ? t("超 {count} 车位", { count: conflict.vehicles })
              : t(conflictNames[conflict.kind])}
          </span>
        )}
      </button>
    </div>
  );
}

/** Fields by days: a table, on a phone one day at a time. */
export function BoardTable(props: BoardTableProps) {
  const { board, fields, words, chosen, openId, mayEdit, busy, onToggle, onOpen, onAdd, onMend, day, onDay } = props;
  const t = useTranslate();
  const { number } = useFormats();
  const nameOf = useNames();
  const [unfolded, setUnfolded] = useState(false);
  const planned = fields.filter(({ days: own }) => own.some(({ plans }) => plans.length > 0));
  const idle = fields.length - planned.length;
  // Farms without a plan give way to those with one.
  const isFolded = !unfolded && planned.length > 0 && idle > 1;
  const drawn = isFolded ? planned : fields;
  const fold = planned.length > 0 && idle > 1 && (
    <Button
      small
      kind="quiet"
      icon={isFolded ? "down" : "up"}
      aria-expanded={!isFolded}
      onPress={() => setUnfolded(isFolded)}
    >
      {t(isFolded ? "{count} 个场区这周没有计划" : "收起没有计划的场区", { count: idle })}
    </Button>
  );
  const narrow = useMedia("(max-width: 760px)");
  const days = board.fields[0]?.days.map((one) => one.day) ?? [];
  const conflictOf = (plan: BoardPlan): BoardConflict | undefined =>
    board.conflicts.find(({ plans }) => plans.includes(plan.id));
  const ofDay = (wanted: string): BoardDay[] =>
    fields.flatMap((field) => field.days.filter((one) => one.day === wanted));
  const isClosed = (wanted: string): boolean =>
    ofDay(wanted).every(({ capacity, plans }) => capacity === 0 && plans.length === 0);
  const headsIn = (of: readonly BoardDay[]): number =>
    of.reduce((sum, one) => sum + one.plans.reduce((heads, plan) => heads + headsToLoad(plan), 0), 0);
  const sumOf = (of: readonly BoardDay[], name: "vehicles" | "capacity"): number =>
    of.reduce((sum, one) => sum + one[name], 0);

  const cell = (field: BoardField, at: BoardDay): ReactNode => {
    if (at.capacity === 0 && at.plans.length === 0) return <p className={styles.closed}>{t("不装车")}</p>;
    const arriving = board.conflicts.filter(
      ({ field: of, fix }) => of === field.id && fix.act === "move" && fix.day === at.day,
    );
    return (
      <div className={styles.cell}>
        {at.plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            name={`${nameOf(field.name)} ${words.day(at.day)} ${words.plan(plan)}`}
            words={words}
            conflict={conflictOf(plan)}
            chosen={chosen.has(plan.id)}
            open={plan.id === openId}
            onToggle={mayEdit && isChoosable(plan) ? () => onToggle(plan.id) : undefined}
            onOpen={() => onOpen(plan)}
          />
        ))}
        {mayEdit &&
          arriving.map((conflict) => (
            <button
              key={conflict.fix.plan}
              type="button"
              className={styles.ghost}
              disabled={busy}
              onClick={() => onMend(conflict)}
            >
              <Icon name="right" small />
              {t("可从{day}移来 {count} 头", {
                day: words.weekday(conflict.day),
                count: number(
                  field.days.flatMap(({ plans }) => plans).find(({ id }) => id === conflict.fix.plan)?.heads ?? 0,
                ),
              })}
            </button>
          ))}
        {mayEdit && at.plans.length === 0 && at.capacity > 0 && at.day >= board.today && (
          <button
            type="button"
            className={styles.add}
            aria-label={t("新建计划：{field} {day}", { field: nameOf(field.name), day: words.day(at.day) })}
            onClick={() => onAdd(field.id, at.day)}
          >
            <Icon name="plus" small />
          </button>
        )}
        <Capacity day={at} />
      </div>
    );
  };

  if (narrow) {
    const shown = days.includes(day) ? day : days.includes(board.today) ? board.today : (days[0] ?? "");
    return (
      <>
        <fieldset className={styles.days} aria-label={t("选哪一天")}>
          {days.map((one) => {
            const worst = board.conflicts.find((conflict) => conflict.day === one);
            return (
              <button key={one} type="button" aria-pressed={one === shown} onClick={() => onDay(one)}>
                <span>{words.narrowWeekday(one)}</span>
                <b>{Number(one.slice(8))}</b>
                {worst && (
                  <>
                    <span className={`state ${worst.severity}`}>
                      <Mark name={worst.severity} />
                    </span>
                    <span className="visually-hidden">{t("有冲突")}</span>
                  </>
                )}
              </button>
            );
          })}
        </fieldset>
        <ul className={styles.fields}>
          {drawn.map((field) => {
            const at = field.days.find((one) => one.day === shown);
            return (
              <li key={field.id}>
                <h2>
                  <Translated text={field.name} />
                  <span className="mut num">{t("这一周 {count} 头", { count: number(headsIn(field.days)) })}</span>
                </h2>
                {at && cell(field, at)}
              </li>
            );
          })}
        </ul>
        {fold}
      </>
    );
  }
  return (
    <section
      className={styles.wrap}
      aria-label={t("看板，可左右滑动")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={styles.board}>
        <colgroup>
          <col className={styles.first} />
          {days.map((one) => (
            <col key={one} className={isClosed(one) ? styles.thin : undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t("场区")}</th>
            {days.map((one) => {
              const all = ofDay(one);
              return (
                <th key={one} scope="col" aria-current={one === board.today ? "date" : undefined}>
                  <b>{words.weekday(one)}</b> <span className="num">{words.day(one)}</span>
                  <small className="num">
                    {isClosed(one)
                      ? t("不装车")
                      : t("{heads} 头，{used}/{all} 车", {
                          heads: number(headsIn(all)),
                          used: sumOf(all, "vehicles"),
                          all: sumOf(all, "capacity"),
                        })}
                  </small>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {drawn.map((field) => (
            <tr key={field.id}>
              <th scope="row">
                <b>
                  <Translated text={field.name} />
                </b>
                <span className="num">{words.heads(headsIn(field.days))}</span>
              </th>
              {field.days.map((at) => (
                <td
                  key={at.day}
                  data-closed={(at.capacity === 0 && at.plans.length === 0) || undefined}
                  data-over={at.vehicles > at.capacity || (at.capacity === 0 && at.plans.length > 0) || undefined}
                >
                  {cell(field, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {fold && (
          <tfoot>
            <tr>
              <td colSpan={days.length + 1}>{fold}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
