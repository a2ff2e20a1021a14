import {
  type Assessment,
  type Channel,
  type DerivedValue,
  type DeviceKind,
  readingLookup,
} from "@herdwise/device-kinds";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { reportedValues, type UnitState } from "./judge.ts";
import { useDeclared, useKind, useLocalText } from "./kind-view.ts";
import { Sparkline } from "./sparkline.tsx";
import { StateMark } from "./state-mark.tsx";
import { useHistories } from "./use-history.ts";
import type { DeviceNow } from "./use-unit.ts";

const dayMs = 86_400_000;

const declaredIn = (kind: DeviceKind, key: string): Channel | DerivedValue | undefined =>
  kind.channels.find((channel) => channel.key === key) ?? kind.derived.find((derived) => derived.key === key);

/** The shape and words of a judgement beside its figure. */
function Judgement({ found, known }: { found: Assessment | undefined; known: boolean }) {
  const t = useTranslate();
  const local = useLocalText();
  if (!known) return <StateMark state="silent" />;
  // What no rule compares is told and not judged.
  if (!found) return null;
  if (found.state === "unknown") return <StateMark state="offline">{local(found.reason)}</StateMark>;
  if (found.masked || found.state === "ok")
    return <StateMark state="ok">{found.masked ? local(found.reason) : t("在限内")}</StateMark>;
  return <StateMark state={found.state satisfies UnitState}>{local(found.reason)}</StateMark>;
}

/** The figures of a declaration, each with its judgement, its usual band and its day. */
export function Figures({ device, values }: { device: DeviceNow; values: readonly Assessment[] }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const keys = kind.pages?.figures ?? [];
  const { value: histories } = useHistories(device.deviceId, keys, dayMs);
  const lookup = readingLookup(kind, reportedValues(kind, device.readings, device.reportedAtMs), {});
  return (
    <section className="card vitals figures" aria-labelledby="figures-title">
      <h2 id="figures-title" className="visually-hidden">
        {t("实时数值")}
      </h2>
      <div className="grid">
        {keys.map((key) => {
          const of = declaredIn(kind, key);
          const value = lookup(key);
          const { name, unit, decimals } = declared(key, value);
          const normal = of && "normal" in of ? of.normal : undefined;
          const word = of && "words" in of ? of.words?.find((candidate) => candidate.value === value) : undefined;
          const atMs = device.readings[key]?.ts;
          const text =
            typeof value === "number"
              ? number(value, decimals)
              : typeof value === "boolean"
                ? t(value ? "是" : "否")
                : (word?.name[language] ?? "--");
          return (
            <div key={key} className="vital">
              <div className="row">
                <h3 className="lbl">{name}</h3>
                <Judgement found={values.find((found) => found.key === key)} known={value !== undefined} />
              </div>
              <div className="value">
                <div>
                  <span className="figure">{text}</span>
                  <small>{unit}</small>
                </div>
                <Sparkline points={histories?.points[key] ?? []} band={normal} />
              </div>
              <div className="tgt">
                {normal ? t("通常 {low}–{high}", { low: normal[0], high: normal[1] }) : "　"}
                {atMs !== undefined && (
                  <>
                    {"　"}
                    <Age atMs={atMs} />
                  </>
                )}
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}
