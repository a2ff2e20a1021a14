import type { AnalyticGrid } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import {
  type AnalyticInput,
  dayMs,
  type EventRecord,
  figure,
  type HerdBooks,
  hourMs,
  type KindFormulas,
  mean,
  numberOf,
  percent,
  sharesBy,
  sum,
  textOf,
  withGrid,
} from "./formula.ts";

const isGood = ({ body }: EventRecord): boolean => body.result === "ok";
const isGoodShot = (told: EventRecord): boolean => told.type === "shot" && isGood(told);
/** Days by which a task may be early or late. */
const onTimeDays = 3;

/** Different pigs that shots reached; shots where there are no tags. */
const reachedOf = (good: readonly EventRecord[]): number => {
  const tags = new Set(good.map(({ body }) => textOf(body.ear_tag)).filter((tag) => tag !== ""));
  return tags.size > 0 ? tags.size : good.length;
};

/** Id of the unit that a shot was given in: that of its task, else the only one that is called as the injector says; "" for none. */
function unitOf({ body }: EventRecord, { books, units }: AnalyticInput): string {
  const planned = books.plans.find(({ task }) => task === textOf(body.task))?.unitId;
  if (planned !== undefined) return planned;
  const named = units.length === 1 ? units : units.filter(({ name }) => name === textOf(body.unit));
  return (named.length === 1 ? named[0]?.id : undefined) ?? "";
}

/** Square of a plan without a shot: the word that the list of plans has for it. */
const plannedSquare = ({ plannedMs, state }: HerdBooks["plans"][number]) => ({
  count: 0,
  day: shanghaiDay(plannedMs),
  state: state === "today" ? ("planned" as const) : state,
});

/** Units by vaccines: whom the injectors of the farm reached, when it is planned, and what is overdue. */
function coverageGrid(input: AnalyticInput, own: readonly EventRecord[]): AnalyticGrid {
  const { units, books, beside, startMs } = input;
  const others = beside("needleless").flatMap(({ events }) => events.filter(isGoodShot));
  const good = [...own, ...others].toSorted((a, b) => a.ts - b.ts);
  const plans = books.plans.filter(({ plannedMs }) => plannedMs >= startMs - onTimeDays * dayMs);
  const vaccines = [
    ...new Set([...good.map(({ body }) => textOf(body.vaccine)), ...plans.map(({ medicine }) => medicine)]),
  ].filter((name) => name !== "");
  const bySquare = Map.groupBy(good, (shot) => `${unitOf(shot, input)} ${textOf(shot.body.vaccine)}`);
  const named = units.filter(
    ({ id }) => plans.some(({ unitId }) => unitId === id) || good.some((shot) => unitOf(shot, input) === id),
  );
  return {
    unit: "%",
    rows: named.slice(0, 62).map(({ label }) => label),
    columns: vaccines.slice(0, 60),
    cells: named.slice(0, 62).map((unit) =>
      vaccines.slice(0, 60).map((vaccine) => {
        const shots = bySquare.get(`${unit.id} ${vaccine}`) ?? [];
        const planned = plans
          .filter(({ unitId, medicine }) => unitId === unit.id && medicine === vaccine)
          .toSorted((a, b) => b.plannedMs - a.plannedMs);
        // What is missed is told before what is to come.
        const plan = planned.find(({ state }) => state === "overdue") ?? planned[0];
        const last = shots.at(-1);
        if (last === undefined || unit.pigs <= 0) return plan === undefined ? { count: 0 } : plannedSquare(plan);
        const isLate = plan !== undefined && last.ts > plan.plannedMs + (onTimeDays + 1) * dayMs;
        return {
          value: Math.min(100, (reachedOf(shots) / unit.pigs) * 100),
          count: shots.length,
          day: shanghaiDay(last.ts),
          ...(plan?.state === "overdue" ? { state: plan.state } : isLate && { state: "done-late" as const }),
        };
      }),
    ),
  };
}

/** Of the tasks that were due in the span, those that a session of any injector of the farm ended in time. */
function onTime({ books, beside, events, startMs, endMs }: AnalyticInput) {
  const sessions = [...events, ...beside("needleless").flatMap((other) => other.events)].filter(
    ({ type }) => type === "session_closed",
  );
  return books.plans
    .filter(({ plannedMs }) => plannedMs >= startMs && plannedMs + (onTimeDays + 1) * dayMs <= endMs)
    .map(({ task, plannedMs }) => ({
      task,
      good: sessions.some(
        ({ body, ts }) =>
          textOf(body.task) === task &&
          ts >= plannedMs - onTimeDays * dayMs &&
          ts < plannedMs + (onTimeDays + 1) * dayMs,
      ),
    }));
}

/** How many days a unit still has to wait after each vaccine that has a withdrawal period. */
function withdrawals(input: AnalyticInput, good: readonly EventRecord[]) {
  const { books, endMs } = input;
  return [...Map.groupBy(good, (shot) => `${unitOf(shot, input)} ${textOf(shot.body.vaccine)}`.trim())]
    .flatMap(([, shots]) => {
      const last = shots.at(-1);
      const days = books.withdrawalDays.get(textOf(last?.body.vaccine));
      if (last === undefined || days === undefined) return [];
      // The day of the shot counts as the first.
      const until = shanghaiDay(last.ts + days * dayMs);
      const left = (Date.parse(until) - Date.parse(shanghaiDay(endMs))) / dayMs;
      const unit = input.units.find(({ id }) => id === unitOf(last, input))?.label ?? "";
      const label = [unit, textOf(last.body.vaccine), until].filter(Boolean).join(" · ");
      return [{ label, value: Math.max(0, left), count: shots.length }];
    })
    .toSorted((a, b) => b.value - a.value);
}

const givenMl = ({ body }: EventRecord): number => numberOf(body.dose_act) ?? 0;

/** Needleless injectors: whom the vaccine reached, how exactly it was dosed, and who worked how fast. */
export const needlelessFormulas: KindFormulas = {
  kind: "needleless",
  events: ["shot", "session_open", "session_closed"],
  keys: [],
  books: true,
  beside: [{ kind: "needleless", events: ["shot", "session_closed"] }],
  compute(input: AnalyticInput) {
    const { events, pigs } = input;
    const shots = events.filter(({ type }) => type === "shot");
    const good = shots.filter(isGood);
    const reached = reachedOf(good);
    const accurate = good.flatMap(({ body }) => {
      const [set, given] = [numberOf(body.dose_set), numberOf(body.dose_act)];
      return set === undefined || given === undefined || set <= 0 ? [] : [(1 - Math.abs(given - set) / set) * 100];
    });
    // A session lasts from its begin to its end; one that is still open to its last shot.
    let sessionMs = 0;
    let openMs: number | undefined;
    for (const { type, ts } of events) {
      if (type === "session_open") openMs = ts;
      if (type === "session_closed" && openMs !== undefined) {
        sessionMs += ts - openMs;
        openMs = undefined;
      }
    }
    const lastShotMs = shots.at(-1)?.ts;
    if (openMs !== undefined && lastShotMs !== undefined && lastShotMs > openMs) sessionMs += lastShotMs - openMs;
    const lots = [
      ...Map.groupBy(good, ({ body }) => [textOf(body.vaccine), textOf(body.lot)].filter(Boolean).join(" · ")),
    ]
      .filter(([label]) => label !== "")
      .map(([label, held]) => ({
        label,
        value: new Set(held.map(({ body }) => textOf(body.ear_tag)).filter((tag) => tag !== "")).size || held.length,
        count: held.length,
      }))
      .toSorted((a, b) => b.count - a.count);
    const sessions = events.filter(({ type }) => type === "session_closed");
    const covered = sessions.flatMap(({ body }) => numberOf(body.coverage) ?? []);
    const due = onTime(input);
    const waits = withdrawals(input, good);
    return [
      withGrid(
        figure("coverage", pigs === 0 ? undefined : Math.min(100, (reached / pigs) * 100), reached),
        coverageGrid(input, good),
      ),
      figure("on_time", percent(due.filter((task) => task.good).length, due.length), due.length, [
        ...due.filter((task) => !task.good).map(({ task }) => ({ label: task, value: 0, count: 1 })),
      ]),
      figure(
        "withdrawal",
        waits[0]?.value,
        waits.length,
        waits.filter(({ value }) => value > 0),
      ),
      figure("session_coverage", mean(covered), covered.length),
      figure("valid_shots", percent(good.length, shots.length), shots.length),
      figure("dose_accuracy", mean(accurate), accurate.length),
      figure("waste", sum(shots.filter((shot) => !isGood(shot)).map(givenMl)), shots.length),
      figure("rate", sessionMs > 0 ? shots.length / (sessionMs / hourMs) : undefined, shots.length),
      figure(
        "operators",
        undefined,
        shots.length,
        sharesBy(shots, ({ body }) => textOf(body.operator), isGood),
      ),
      figure("lot_trace", undefined, good.length, lots),
    ];
  },
};
