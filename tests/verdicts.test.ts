import {
  type DeviceKind,
  type DeviceKindId,
  deviceKindIds,
  deviceKinds,
  type ReportedValue,
} from "@herdwise/device-kinds";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeAll, describe, expect, it } from "vitest";
import type { FleetDevice } from "../apps/simulator/src/fleet.ts";
import { scenarios } from "../apps/simulator/src/scenarios.ts";
import {
  fullEntry,
  initialState,
  reported,
  reportTimeBefore,
  stateTime,
  stepDevice,
  virtualDevice,
} from "../apps/simulator/src/virtual-device.ts";

// The web's files are JSX, which the compiler options of this folder leave out.
const ofWeb = (path: string) => import(new URL(`../apps/web/app/${path}`, import.meta.url).href);

type Values = Record<string, ReportedValue>;
const beganMs = Date.UTC(2026, 10, 10);
const hour = 60;

/** What a device of a kind reports, every 20 minutes for some hours, with a scenario from the first hour on. */
function simulated(kind: DeviceKindId, scenario?: string): Values[] {
  const device: FleetDevice = {
    token: "token",
    serialNumber: `HW-${kind}`,
    kind,
    firmwareVersion: "1.4.2",
    unit: { id: "u1", pigstyType: "fattening", headCount: 800, ageDays: 110, weightGrams: 60_000, mode: "normal" },
    latitude: 33,
    longitude: 112.5,
  };
  const runs = scenario === undefined ? [] : [{ name: scenario, fromMs: beganMs + 3_600_000, untilMs: null }];
  const virtual = virtualDevice(device, 1, runs);
  let state = initialState(virtual, reportTimeBefore(virtual, beganMs));
  const found: Values[] = [];
  for (let minute = 0; minute < 4 * hour; minute++) {
    const step = stepDevice(virtual, state);
    if (minute % 20 === 0) found.push(fullEntry(virtual, stateTime(step.state), step.read()).values);
    state = reported(step.state);
  }
  return found;
}

/** A calm reading with one of its figures over all that its sensor can tell, and at what the declaration names. */
function swept(kind: DeviceKind, calm: Values): Values[] {
  return (kind.pages?.figures ?? []).flatMap((key) => {
    const channel = kind.channels.find((one) => one.key === key);
    if (channel?.type !== "number" || !channel.valid) return [];
    const [low, high] = channel.valid;
    const named = JSON.stringify([channel.normal, kind.alarmRules, kind.parameters]).match(/-?\d+(\.\d+)?/g) ?? [];
    const step = 10 ** -channel.decimals;
    const points = [...Array.from({ length: 41 }, (_, at) => low + ((high - low) * at) / 40)];
    for (const number of new Set(named.map(Number)))
      for (const by of [-step, -0.4 * step, 0, 0.4 * step, step]) points.push(number + by);
    return points.filter((value) => value >= low && value <= high).map((value) => ({ ...calm, [key]: value }));
  });
}

/** As the wire writes a moment, in Asia/Shanghai. */
const wireTime = (atMs: number): string => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

const initial = {
  language: "zh",
  theme: "light",
  accent: "leaf",
  density: "normal",
  side: "open",
  dictionary: {},
  dictionaryPart: "whole",
  appName: "",
  brand: { zh: "慧牧", en: "Herdwise", light: "", dark: "" },
  records: { icp: "", police: "" },
  contact: { company: "", service: "", sales: "", hours: "", place: "" },
  nonce: undefined,
};

type Page = (values: Values, change?: { ageS?: number; mode?: "empty" | "washing"; rejected?: string }) => string;

/** Everything of a kind that shows a value beside a range. */
async function pageOf(kind: DeviceKind): Promise<Page> {
  const [{ PreferenceProvider }, { KindContext }, { kindViewAt }, { judgeUnit }, { Figures }, { TanksCard }] =
    await Promise.all([
      ofWeb("shared/preferences/preferences.tsx"),
      ofWeb("centre/kind/kind-view.ts"),
      ofWeb("centre/kind/load-kind.ts"),
      ofWeb("centre/kind/judge.ts"),
      ofWeb("centre/kind/figures.tsx"),
      ofWeb("centre/kind/tanks-card.tsx"),
    ]);
  const { UnitVitals } = await ofWeb("centre/environment/unit-vitals.tsx");
  const { pageAddress } = await import("@herdwise/device-kinds/kind-pages");
  const address = kind.pages && pageAddress(kind.pages, "device");
  const view = await kindViewAt({ request: new Request(`http://localhost${address}`) });
  return (values, { ageS = 20, mode, rejected } = {}) => {
    const nowMs = Date.now();
    const atMs = nowMs - ageS * 1000;
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
      reportedAtMs: atMs,
      readings,
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
    const judged = judgeUnit(view, unit, nowMs, true);
    const tanks = (kind.pages?.parts ?? []).filter(({ type }) => type === "tanks");
    const parts: ReactNode[] = [
      kind.kind === "environment"
        ? createElement(UnitVitals, { key: "vitals", unit, target: 19.5, histories: undefined, judged })
        : createElement(Figures, { key: "figures", device, judged }),
      ...tanks.map((part, key) => createElement(TanksCard, { key, part, device, judged })),
      view.Drawing && createElement(view.Drawing, { key: "drawing", device, judged }),
    ];
    const ofKind = createElement(KindContext, { value: view, children: parts });
    const routed = createElement(MemoryRouter, null, ofKind);
    return renderToStaticMarkup(createElement(PreferenceProvider, { initial, children: routed }));
  };
}

const plain = (html: string): string => html.replace(/<[^>]*>/g, "").replaceAll(",", "");
const numbers = (words: string): number[] =>
  (words.match(/[-−]?\d+(\.\d+)?/g) ?? []).map((one) => Number(one.replace("−", "-")));

/** Ranges in words, as they stand beside a value: "舒适 65–75，限 45–85", "上限 20". */
function printedRanges(words: string): (readonly [low: number, high: number, isLimit: boolean])[] {
  const number = "[-−]?\\d+(?:\\.\\d+)?";
  const found = [...words.matchAll(new RegExp(`(适宜|舒适|通常|上限|下限|限) ?(${number})(?:[–-](${number}))?`, "g"))];
  return found.map(([, name, from = "", to]) => {
    const [first = 0, second] = numbers(`${from} ${to ?? ""}`);
    if (name === "上限") return [Number.NEGATIVE_INFINITY, first, true];
    if (name === "下限") return [first, Number.POSITIVE_INFINITY, true];
    return [first, second ?? Number.POSITIVE_INFINITY, name === "限"];
  });
}

/** Where the mark of a figure and the range beside it say different things. */
function disagreements(html: string): string[] {
  return html
    .split(/(?=<div class="vital[" -])/)
    .slice(1)
    .flatMap((from) => {
      const [block = ""] = from.split("</section>");
      const figure = /<span class="figure">([^<]*)</.exec(block) ?? /<div class="big"><span>([^<]*)</.exec(block);
      const [value] = numbers((figure?.[1] ?? "").replaceAll(",", ""));
      const note = plain(/<div class="tgt">(.*?)<\/div>/s.exec(block)?.[1] ?? "");
      const standing = /data-verdict="([^"]+)"/.exec(block)?.[1];
      const isGreen = standing === undefined ? block.includes('class="state ok"') : /class="state ok"/.test(block);
      if (value === undefined) return isGreen ? [`${plain(block).slice(0, 60)}: nothing is called good`] : [];
      const ranges = printedRanges(note);
      const isOutside = ([low, high]: readonly [number, number, boolean]): boolean => value < low || value > high;
      const name = plain(/<h[23][^>]*>(.*?)<\/h[23]>/s.exec(block)?.[1] ?? "");
      const fault = `${name} ${value}, ${note.trim()}, ${standing ?? (isGreen ? "green" : "not green")}`;
      if (ranges.length > 0 && standing === undefined) return [fault];
      const outside = ranges.filter(isOutside);
      if (isGreen && (outside.length > 0 || (standing !== undefined && standing !== "fine"))) return [fault];
      const limits = ranges.filter(([, , isLimit]) => isLimit);
      const isPassed = limits.some(([low, high]) => value <= low || value >= high);
      if ((standing === "over-limit" || standing === "at-limit") && limits.length > 0 && !isPassed) return [fault];
      if (standing === "fine" && (!isGreen || outside.length > 0)) return [fault];
      const beyondLimit = outside.some(([, , isLimit]) => isLimit);
      if (beyondLimit && standing !== "over-limit") return [fault];
      // In winter much is away from its comfort: that is no alarm, and what is masked is neither.
      const mark = /class="state ([^"]+)"/.exec(block)?.[1];
      const calm = { "off-comfort": "aside", "outside-comfort": "aside", masked: "off" }[standing ?? ""];
      if (calm !== undefined && mark !== calm) return [fault];
      if (/^(off|outside)-comfort$/.test(standing ?? "") && (outside.length === 0 || beyondLimit)) return [fault];
      return [];
    });
}

describe.each(deviceKindIds.map((kind) => [kind]))("%s", (id) => {
  const kind = deviceKinds[id];
  let page: Page;
  beforeAll(async () => {
    page = await pageOf(kind);
  });
  const calm = simulated(id);
  const [first = {}] = calm;

  it("shows no mark that the range beside it gainsays, in any scenario", () => {
    const told = scenarios.filter(({ kinds }) => kinds.includes(id)).flatMap(({ name }) => simulated(id, name));
    expect([...new Set([...calm, ...told].flatMap((values) => disagreements(page(values))))]).toEqual([]);
  });

  it("shows none at any value that a sensor can tell", () => {
    const all = swept(kind, first);
    expect(all.length).toBeGreaterThan(100);
    expect([...new Set(all.flatMap((values) => disagreements(page(values))))]).toEqual([]);
  });

  it("calls nothing good that is old, masked, rejected or missing", () => {
    const [figure = ""] = kind.pages?.figures ?? [];
    for (const html of [
      page({}),
      page(first, { ageS: 4 * kind.reportIntervalS }),
      page(first, { ageS: kind.offlineAfterS + 60 }),
      page(first, { rejected: figure }),
      page(first, { mode: "empty" }),
      page(first, { mode: "washing" }),
    ])
      expect(disagreements(html)).toEqual([]);
    expect(page(first, { ageS: kind.offlineAfterS + 60 })).not.toContain('class="state ok"');
  });
});
