import type { Channel, DerivedValue, DeviceKind, JudgedDevice } from "@herdwise/device-kinds";
import type { TimePoint } from "../../shared/chart/time-points.ts";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { useDeclared, useKind } from "./kind-view.ts";
import { Sparkline } from "./sparkline.tsx";
import { derivedPoints, useHistories } from "./use-history.ts";
import type { DeviceNow } from "./use-unit.ts";
import { bandOf, useRangeWords, VerdictMark, verdictAttributes } from "./verdict-mark.tsx";

const dayMs = 86_400_000;
const olderByMs = 60_000;

const declaredIn = (kind: DeviceKind, key: string): Channel | DerivedValue | undefined =>
  kind.channels.find((channel) => channel.key === key) ?? kind.derived.find((derived) => derived.key === key);

/** What is asked for to draw the day of a figure: itself, or what it is worked out of. */
const neededFor = (kind: DeviceKind, key: string): readonly string[] =>
  kind.derived.find((derived) => derived.key === key && derived.derivation.from === "reading")?.of ?? [key];

/** Whether a value is older than the newest report, whose age the head tells. */
const isOlder = (atMs: number, reportedAtMs: number | undefined): boolean =>
  reportedAtMs === undefined || reportedAtMs - atMs > olderByMs;

/** The figures of a declaration, each with its verdict, the range of it and its day. */
export function Figures({ device, judged }: { device: DeviceNow; judged: JudgedDevice }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  const { kind, ownFigures } = useKind();
  const declared = useDeclared();
  const keys = kind.pages?.figures ?? [];
  const { value: histories } = useHistories(
    device.deviceId,
    [...new Set(keys.flatMap((key) => neededFor(kind, key)))],
    dayMs,
  );
  const pointsOfKey = (key: string): readonly TimePoint[] => {
    if (!histories) return [];
    const derived = kind.derived.find((one) => one.key === key);
    return derived
      ? derivedPoints(kind, derived, histories.points, { parameters: device.judgedBy?.parameters })
      : (histories.points[key] ?? []);
  };
  const rangeWords = useRangeWords();
  return (
    <section className="card vitals figures" aria-labelledby="figures-title">
      <h2 id="figures-title" className="visually-hidden">
        {t("实时数值")}
      </h2>
      <div className="grid" data-count={keys.length}>
        {keys.map((key) => {
          const of = declaredIn(kind, key);
          const verdict = judged.verdictOf(key);
          const { value } = verdict;
          const told = rangeWords(verdict);
          // While it stands still other limits may hold than while it runs.
          const isAtRest = verdict.standing === "idle" && verdict.range.usual === undefined;
          const range = told && isAtRest ? t("停着时{range}", { range: told }) : told;
          const { name, unit, decimals } = declared(key, value);
          const word = of && "words" in of ? of.words?.find((candidate) => candidate.value === value) : undefined;
          const atMs = device.readings[key]?.ts;
          const text =
            typeof value === "number"
              ? number(value, decimals)
              : typeof value === "boolean"
                ? t(value ? "是" : "否")
                : (word?.name[language] ?? "--");
          const Own = ownFigures?.[key];
          const tile = (
            <div key={key} className="vital" {...verdictAttributes(verdict)}>
              <div className="row">
                <h3 className="lbl">{name}</h3>
                <VerdictMark verdict={verdict} />
              </div>
              <div className="value">
                <div>
                  <span className="figure">{text}</span>
                  <small>{unit}</small>
                </div>
                <Sparkline points={pointsOfKey(key)} band={bandOf(verdict)} />
              </div>
              <div className="tgt">
                {range && (
                  <span>
                    <WholeValues text={range} />
                  </span>
                )}
                {atMs === undefined
                  ? of && "type" in of && t("未上报")
                  : isOlder(atMs, device.reportedAtMs) && <Age atMs={atMs} />}
              </div>
            </div>
          );
          return Own ? <Own key={key} deviceId={device.deviceId} declared={tile} /> : tile;
        })}
      </div>
    </section>
  );
}
