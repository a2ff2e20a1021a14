import type { Channel, DerivedValue, DeviceKind, JudgedDevice } from "@herdwise/device-kinds";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { useDeclared, useKind } from "./kind-view.ts";
import { Sparkline } from "./sparkline.tsx";
import { useHistories } from "./use-history.ts";
import type { DeviceNow } from "./use-unit.ts";
import { bandOf, useRangeWords, VerdictMark, verdictAttributes } from "./verdict-mark.tsx";

const dayMs = 86_400_000;

const declaredIn = (kind: DeviceKind, key: string): Channel | DerivedValue | undefined =>
  kind.channels.find((channel) => channel.key === key) ?? kind.derived.find((derived) => derived.key === key);

/** The figures of a declaration, each with its verdict, the range of it and its day. */
export function Figures({ device, judged }: { device: DeviceNow; judged: JudgedDevice }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const keys = kind.pages?.figures ?? [];
  const { value: histories } = useHistories(device.deviceId, keys, dayMs);
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
          const range = rangeWords(verdict);
          const { name, unit, decimals } = declared(key, value);
          const word = of && "words" in of ? of.words?.find((candidate) => candidate.value === value) : undefined;
          const atMs = device.readings[key]?.ts;
          const text =
            typeof value === "number"
              ? number(value, decimals)
              : typeof value === "boolean"
                ? t(value ? "是" : "否")
                : (word?.name[language] ?? "--");
          return (
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
                <Sparkline points={histories?.points[key] ?? []} band={bandOf(verdict)} />
              </div>
              <div className="tgt">
                {range && <span>{range}</span>}
                {atMs === undefined ? of && "type" in of && t("未上报") : <Age atMs={atMs} />}
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}
