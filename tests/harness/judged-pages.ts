import { readFileSync } from "node:fs";
import type { Alarm, KindUnit } from "@herdwise/contract";
import { type DeviceKind, judgeUnit } from "@herdwise/device-kinds";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { sentenceOf } from "../../apps/server/src/modules/alarms/sentence.ts";
import type { Language, Page } from "./contradictions.ts";
import type { Values } from "./simulated.ts";

// The web's files are JSX, which the compiler options of this folder leave out.
const ofWeb = (path: string) => import(new URL(`../../apps/web/app/${path}`, import.meta.url).href);

/** As the wire writes a moment, in Asia/Shanghai. */
const wireTime = (atMs: number): string => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

/** What is known beside the values. */
export interface Situation {
  /** Age of the newest report, s; absent where there never was one. */
  readonly ageS?: number | undefined;
  readonly mode?: "empty" | "washing";
  /** A value whose newest reading was rejected. */
  readonly rejected?: string;
  /** The alarms of what is wrong were acknowledged. */
  readonly acknowledged?: boolean;
}

/** How a page is drawn. @param whole also what a single value shows nowhere else: drawing, lists, sentences */
interface Look {
  readonly language: Language;
  readonly theme: "light" | "dark";
  readonly whole: boolean;
}

const english: unknown = JSON.parse(
  readFileSync(new URL("../../apps/web/public/i18n/i18n_en.json", import.meta.url), "utf8"),
);

const preferences = ({ language, theme }: Look, dictionary: unknown) => ({
  language,
  theme,
  accent: "leaf",
  density: "normal",
  side: "open",
  dictionary: language === "en" ? dictionary : {},
  dictionaryPart: "whole",
  appName: "",
  brand: { zh: "慧牧", en: "Herdwise", light: "", dark: "", logos: { light: "", dark: "", icon: "" } },
  records: { icp: "", police: "" },
  contact: { company: "", service: "", sales: "", hours: "", place: "" },
  nonce: undefined,
});

export type Draw = (values: Values, situation?: Situation, look?: Partial<Look>) => Page;

/** Draws every place of a kind that shows a value, as its pages do. */
export async function drawOf(kind: DeviceKind): Promise<Draw> {
  const [preference, kindView, loader, figuresOf, tanksOf, worstOf, healthOf, valuesOf, tileOf, listOf, tableOf] =
    await Promise.all(
      [
        "shared/preferences/preferences.tsx",
        "centre/kind/kind-view.ts",
        "centre/kind/load-kind.ts",
        "centre/kind/figures.tsx",
        "centre/kind/tanks-card.tsx",
        "centre/kind/worst-state.tsx",
        "centre/kind/health-list.tsx",
        "centre/devices/device-values.tsx",
        "centre/kind/unit-tile.tsx",
        "centre/kind/unit-list.tsx",
        "centre/kind/device-overview.tsx",
      ].map(ofWeb),
    );
  const { UnitVitals } = await ofWeb("centre/environment/unit-vitals.tsx");
  const { UnitSection } = await ofWeb("centre/environment/unit-section.tsx");
  const { AlarmRow } = await ofWeb("centre/alarms/alarm-row.tsx");
  const { ReportAlarms } = await ofWeb("centre/reports/report-alarms.tsx");
  const { UnitRow } = await ofWeb("centre/barn/unit-row.tsx");
  const address = kind.pages && pageAddress(kind.pages, "device");
  const view = await loader.kindViewAt({ request: new Request(`http://localhost${address}`) });
  return (values, situation = {}, part = {}) => {
    const { mode, rejected, acknowledged = false } = situation;
    const ageS = "ageS" in situation ? situation.ageS : 20;
    const look: Look = { language: "zh", theme: "light", whole: true, ...part };
    const nowMs = Date.now();
    const atMs = nowMs - (ageS ?? 0) * 1000;
    const readings = Object.fromEntries(
      Object.entries(values)
        .filter(([key]) => key !== rejected)
        .map(([key, value]) => [key, { value, ts: atMs }]),
    );
    const device = {
      deviceId: "1",
      id: "1",
      deviceName: "one",
      name: "one",
      status: "online",
      attributes: {},
      ...(ageS === undefined ? {} : { reportedAtMs: atMs }),
      readings: ageS === undefined ? {} : readings,
      rejected:
        rejected === undefined
          ? []
          : [{ key: rejected, reason: "range", count: 1, lastText: "-127", lastAt: wireTime(atMs) }],
    };
    const unit = {
      ...device,
      id: "7",
      name: "1 单元",
      capacity: 900,
      pigstyType: "fattening",
      averageWeightGrams: 60_000,
      mode: mode ?? "normal",
      targetTemperature: 19.5,
      headCount: mode === "empty" ? 0 : 800,
      devices: [device],
      more: [],
    };
    const judged = judgeUnit(view, unit as unknown as KindUnit, nowMs, true);
    const placed = { ...judged, farm: { id: "1", name: "farm" }, house: { id: "2", name: "house" } };
    const isClimate = kind.kind === "environment";
    const draw = (children: ReactNode): string => {
      const ofKind = createElement(kindView.KindContext, { value: view, children });
      const asking = createElement(QueryClientProvider, { client: new QueryClient() }, ofKind);
      const routed = createElement(MemoryRouter, null, asking);
      const initial = preferences(look, english);
      return renderToStaticMarkup(createElement(preference.PreferenceProvider, { initial, children: routed }));
    };
    const tanks = (kind.pages?.parts ?? []).filter(({ type }) => type === "tanks");
    const page = {
      head: draw(createElement(worstOf.WorstState, { judged })),
      figures: draw(
        isClimate
          ? createElement(UnitVitals, { unit, target: 19.5, histories: undefined, judged })
          : createElement(figuresOf.Figures, { device, judged }),
      ),
      tile: draw(createElement(tileOf.UnitTile, { judged })),
    };
    if (!look.whole) return page;
    const said = judged.problems.flatMap(({ rule, ...verdict }) => (rule ? [{ ...verdict, rule }] : []));
    const alarms = said.map(({ key, value, rule, range }: (typeof said)[number], at: number): Alarm => {
      const limit = [range.high, range.low].find(
        (one) => one !== undefined && (one === range.high) === Number(value) > one,
      );
      const alarm = {
        id: String(at),
        deviceId: "1",
        deviceName: "one",
        kind: kind.kind,
        ruleId: rule.id,
        ruleName: "",
        sentence: sentenceOf({ kind: kind.kind, ruleId: rule.id, facts: { key, value, limit } }),
        severity: rule.severity,
        state: "open",
        farmName: "farm",
        houseName: "house",
        unitId: "7",
        unitName: "1 单元",
        figure: { key, value },
        currentValue: value,
        sinceMs: atMs,
        raisedMs: atMs,
        ...(acknowledged && { acknowledgedMs: atMs }),
        acknowledgedBy: "",
        assignedTo: "",
        assignedName: "",
        causeId: "",
        step: 0,
      };
      return alarm as unknown as Alarm;
    });
    const sentences = alarms.map(({ sentence, figure: { key = "" }, ruleId }: Alarm) => {
      const rule = kind.alarmRules.find(({ id }) => id === ruleId)?.name[look.language] ?? "";
      const name = [...kind.channels, ...kind.derived].find((one) => one.key === key)?.name[look.language] ?? "";
      const attributes = { "data-sentence": key, "data-rule": rule, "data-name": name };
      return createElement("p", { key: ruleId, ...attributes }, sentence[look.language]);
    });
    const asRow = (alarm: Alarm, at: number) =>
      createElement(
        "div",
        { key: alarm.id, "data-alarm": said[at]?.key, "data-state": said[at]?.state },
        createElement(AlarmRow, { group: { lead: alarm, others: [] }, mayHandle: true }),
      );
    const barn = { queue: [], lostAtMs: undefined, act: () => undefined };
    return {
      ...page,
      ...(isClimate && {
        barn: draw(createElement(UnitRow, { of: { houseName: "house", judged, alarms }, barn, mayHandle: true })),
        // Values may have passed a limit before the alarm is raised.
        "barn before its alarms": draw(
          createElement(UnitRow, { of: { houseName: "house", judged, alarms: [] }, barn, mayHandle: true }),
        ),
      }),
      report: draw(createElement(ReportAlarms, { alarms })),
      tanks: draw(tanks.map((of, key) => createElement(tanksOf.TanksCard, { key, part: of, device, judged }))),
      drawing: draw(
        isClimate
          ? createElement(UnitSection, { unit, judged, offline: false, stale: false })
          : view.Drawing && createElement(view.Drawing, { device, judged }),
      ),
      problems: draw(
        createElement(healthOf.HealthList, { problems: judged.problems, masked: mode !== undefined, shownAbove: [] }),
      ),
      values: draw(createElement(valuesOf.DeviceValues, { kind, readings: device.readings, judged })),
      list: draw(createElement(listOf.UnitList, { units: [placed] })),
      table: draw(createElement(tableOf.DeviceTable, { devices: [placed], resultOf: () => undefined, days: 7 })),
      sentences: draw(sentences),
      alarms: draw(alarms.map(asRow)),
    };
  };
}
