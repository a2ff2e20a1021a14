import {
  type AnalyticInput,
  type EventRecord,
  figure,
  hourMs,
  type KindFormulas,
  mean,
  numberOf,
  percent,
  sharesBy,
  sum,
  textOf,
} from "./formula.ts";

const isGood = ({ body }: EventRecord): boolean => body.result === "ok";
const givenMl = ({ body }: EventRecord): number => numberOf(body.dose_act) ?? 0;

/** Needleless injectors: whom the vaccine reached, how exactly it was dosed, and who worked how fast. */
export const needlelessFormulas: KindFormulas = {
  kind: "needleless",
  events: ["shot", "session_open", "session_closed"],
  keys: [],
  compute({ events, pigs }: AnalyticInput) {
    const shots = events.filter(({ type }) => type === "shot");
    const good = shots.filter(isGood);
    const tags = new Set(good.map(({ body }) => textOf(body.ear_tag)).filter((tag) => tag !== ""));
    const reached = tags.size > 0 ? tags.size : good.length;
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
    const lots = [...Map.groupBy(good, ({ body }) => `${textOf(body.vaccine)} ${textOf(body.lot)}`.trim())]
      .filter(([label]) => label !== "")
      .map(([label, held]) => ({
        label,
        value: new Set(held.map(({ body }) => textOf(body.ear_tag)).filter((tag) => tag !== "")).size || held.length,
        count: held.length,
      }))
      .toSorted((a, b) => b.count - a.count);
    const sessions = events.filter(({ type }) => type === "session_closed");
    const covered = sessions.flatMap(({ body }) => numberOf(body.coverage) ?? []);
    return [
      figure("coverage", pigs === 0 ? undefined : Math.min(100, (reached / pigs) * 100), reached),
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
