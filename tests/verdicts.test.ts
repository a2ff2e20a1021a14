import { readFileSync } from "node:fs";
import { type DeviceKind, deviceKindIds, deviceKinds } from "@herdwise/device-kinds";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { scenarios } from "../apps/simulator/src/scenarios.ts";
import {
  contradictionsBetween,
  contradictionsInColours,
  contradictionsOn,
  type Page,
} from "./harness/contradictions.ts";
import { type Draw, drawOf, type Situation } from "./harness/judged-pages.ts";
import { simulated, type Values } from "./harness/simulated.ts";

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

/** A report without what the server rejects: numbers that are none, or that no sensor can tell. */
const accepted = (kind: DeviceKind, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => {
      const channel = kind.channels.find((one) => one.key === key);
      if (channel?.type !== "number") return true;
      const [low, high] = channel.valid ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      return typeof value === "number" && value >= low && value <= high;
    }),
  );

/** Everything that the pages of a kind say against themselves in both languages. */
function contradictions(kind: DeviceKind, draw: Draw, values: Values, situation?: Situation, whole = true): string[] {
  const [zh, en] = (["zh", "en"] as const).map((language) => draw(values, situation, { language, whole }));
  if (!zh || !en) return [];
  return [...contradictionsOn(zh, "zh"), ...contradictionsOn(en, "en"), ...contradictionsBetween(kind, zh, en)];
}

// Ages stand still, so that two pages of one moment are equal.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const styles = (name: string): string =>
  readFileSync(new URL(`../apps/web/app/shared/design/${name}.css`, import.meta.url), "utf8");

describe.each(deviceKindIds.map((kind) => [kind]))("%s", (id) => {
  const kind = deviceKinds[id];
  let draw: Draw;
  beforeAll(async () => {
    draw = await drawOf(kind);
  });
  const calm = simulated(id);
  const [first = {}] = calm;
  // Of each scenario the hour in which it grows and how it ends.
  const told = () =>
    scenarios
      .filter(({ kinds }) => kinds.includes(id))
      .flatMap(({ name }) => simulated(id, name).filter((_, at) => at === 5 || at === 11))
      .map((values) => accepted(kind, values));

  it("says the same at all places and in both languages, in any scenario", () => {
    const all = [...calm.slice(0, 1), ...told()];
    expect([...new Set(all.flatMap((values) => contradictions(kind, draw, values)))]).toEqual([]);
  });

  it("says the same at any value that a sensor can tell", () => {
    const all = swept(kind, first);
    expect(all.length).toBeGreaterThan(100);
    const found = all.flatMap((values, at) =>
      at % 40 === 0
        ? contradictions(kind, draw, values)
        : contradictionsOn(
            draw(values, {}, { whole: false, language: at % 2 === 0 ? "zh" : "en" }),
            at % 2 === 0 ? "zh" : "en",
          ),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  it("calls nothing good that is old, masked, rejected or missing, and an acknowledged alarm as bad as an open one", () => {
    const [figure = ""] = kind.pages?.figures ?? [];
    const bad = told().at(-1) ?? first;
    const situations: [Values, Situation][] = [
      [{}, {}],
      [first, { ageS: undefined }],
      [first, { ageS: 4 * kind.reportIntervalS }],
      [bad, { ageS: 4 * kind.reportIntervalS }],
      [first, { ageS: kind.offlineAfterS + 60 }],
      [first, { rejected: figure }],
      [first, { mode: "empty" }],
      [first, { mode: "washing" }],
      [bad, { mode: "washing" }],
      [bad, { acknowledged: true }],
    ];
    for (const [values, situation] of situations)
      expect(contradictions(kind, draw, values, situation), JSON.stringify(situation)).toEqual([]);
    const gone = draw(first, { ageS: kind.offlineAfterS + 60 });
    for (const place of ["head", "figures", "tile", "tanks", "list", "table"])
      expect(gone[place], place).not.toContain('class="state ok"');
  });

  it("is the same in the dark but for its colours", () => {
    const [bad = first] = told().slice(-1);
    expect(draw(bad, {}, { theme: "dark" })).toEqual(draw(bad));
  });
});

describe("colours", () => {
  it("say the same in the light and in the dark", () => {
    expect(contradictionsInColours(styles("tokens"), styles("kit"))).toEqual([]);
  });
});

describe("a planted contradiction is found", () => {
  const kind = deviceKinds.disinfect;
  let draw: Draw;
  let zh: Page;
  let en: Page;
  const [calm = {}] = simulated("disinfect");
  // Too little chlorine, much acidity, an empty tank; everything else is as usual.
  const bad: Values = { ...calm, free_cl: 0.12, turb: 6.4, stock: 3 };
  beforeAll(async () => {
    draw = await drawOf(kind);
    zh = draw(bad);
    en = draw(bad, {}, { language: "en" });
  });
  /** A page with something else at one of its places. */
  const planted = (page: Page, place: string, from: RegExp, to: string): Page => {
    const before = page[place] ?? "";
    const after = before.replace(from, to);
    expect(after, `nothing to replace in ${place}`).not.toBe(before);
    return { ...page, [place]: after };
  };
  const figure = (key: string, rest: string) =>
    new RegExp(`(data-channel="${key}"(?:(?!data-channel=).)*?)${rest}`, "s");

  it("and nothing where none is planted", () => {
    expect([
      ...contradictionsOn(zh, "zh"),
      ...contradictionsOn(en, "en"),
      ...contradictionsBetween(kind, zh, en),
    ]).toEqual([]);
    expect(zh.head).toContain('class="worst ');
    expect(zh.figures).toMatch(figure("free_cl", "上限|下限"));
  });

  it.each<[what: string, place: string, from: RegExp, to: string]>([
    [
      "a good mark beside a value over its limit",
      "figures",
      figure("free_cl", 'class="state (?:critical|major|minor|notice)"'),
      '$1class="state ok"',
    ],
    [
      "a good value outside of the printed range",
      "figures",
      figure("orp", "(通常 (?:<span[^>]*>)?)[\\d.,–]+"),
      "$1$29,000–9,100",
    ],
    [
      "a bad value inside of the printed limits",
      "figures",
      figure("turb", "(上限 (?:<span[^>]*>)?)[\\d.,]+"),
      "$1$2900",
    ],
    ["comfortable where there is no comfort", "figures", figure("orp", "在通常范围"), "$1舒适"],
    ["within limits beyond one", "figures", figure("turb", "</svg>[^<]*"), "$1</svg>在限内"],
    ["another number in the tile", "tile", /(class="value"[^>]*>)[\d.,]+/, "$18.88"],
    [
      "another number in the list of all values",
      "values",
      figure("turb", '(<dd class="num">(?:<span[^>]*>)?)[\\d.]+'),
      "$1$21.5",
    ],
    ["another number in the list of units", "list", figure("orp", ">[\\d,]+<"), "$1>123<"],
    ["a head that is better than its worst part", "head", /class="worst \w+"/, 'class="worst notice"'],
    ["a tile that is good where a part is not", "tile", /class="tile \w+/, 'class="tile ok'],
    ["a part of the drawing without its fault", "drawing", /(data-of="free_cl" )data-state="\w+"/, "$1"],
    ["a drawing that says another number than the list", "drawing", /(data-of="orp".*?class="num">)[\d,]+/s, "$1111"],
    [
      "a plate with a number that nothing else says",
      "drawing",
      /(<text[^>]*class="[^"]*value[^"]*"[^>]*>)[\d.,]+/,
      "$1777.7",
    ],
    ["a sentence with another number", "sentences", /(data-sentence="turb".*?)6\.4/s, "$12.4"],
    ["a sentence with another limit", "sentences", /(data-sentence="turb".*?(?:限|limit) )[\d.]+/s, "$1444"],
    ["a report that draws an alarm as less bad", "report", /class="state \w+"/, 'class="state notice"'],
    ["a report that says another number", "report", /0\.12/, "0.42"],
    ["an alarm that is less bad than its value", "alarms", /(data-alarm="free_cl".*?data-severity=")\w+/s, "$1WARN"],
    [
      "another standing in the table of devices",
      "table",
      figure("orp", 'data-verdict="\\w+"'),
      '$1data-verdict="over-limit"',
    ],
  ])("%s", (_, place, from, to) => {
    expect(contradictionsOn(planted(zh, place, from, to), "zh")).not.toEqual([]);
  });

  it.each<[what: string, place: string, from: RegExp, to: string]>([
    ["a unit of the barn mode that is good", "barn", /class="state \w+"/, 'class="state ok"'],
    ["a unit that is good before its alarm", "barn before its alarms", /class="state \w+"/, 'class="state ok"'],
    ["another temperature in the barn mode", "barn", /(<b class="num">)[\d.]+/, "$119.9"],
    ["another verdict in the barn mode", "barn", /data-verdict="[\w-]+"/, 'data-verdict="fine"'],
    ["a good mark beside a temperature", "barn", /(data-channel="t_in".*?class="state )\w+/s, "$1ok"],
  ])("%s", async (_, place, from, to) => {
    const [usual = {}] = simulated("environment");
    const page = (await drawOf(deviceKinds.environment))({ ...usual, t_in: 33.4 });
    expect(contradictionsOn(page, "zh")).toEqual([]);
    expect(contradictionsOn(planted(page, place, from, to), "zh")).not.toEqual([]);
  });

  it("a rejected reading that is called good", () => {
    const page = draw(calm, { rejected: "orp" });
    expect(contradictionsOn(page, "zh")).toEqual([]);
    const good = planted(page, "figures", figure("orp", 'class="state off"'), '$1class="state ok"');
    expect(contradictionsOn(good, "zh")).not.toEqual([]);
  });

  it("a translation that says something else", () => {
    const turned = planted(en, "figures", /usually (?=\d)/, "limits ");
    expect(contradictionsBetween(kind, zh, turned)).not.toEqual([]);
    const swapped = planted(en, "figures", /as usual/, "comfortable");
    expect(contradictionsBetween(kind, zh, swapped)).not.toEqual([]);
  });

  it("a colour of a theme that says something else", () => {
    const [tokens, kit] = [styles("tokens"), styles("kit")];
    const [, light = "", dark = ""] = /--ok: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
    const critical = /--critical: light-dark\(#\w+, (#\w+)\)/.exec(tokens)?.[1] ?? "";
    const swapped = tokens.replace(`--ok: light-dark(${light}, ${dark})`, `--ok: light-dark(${light}, ${critical})`);
    expect(contradictionsInColours(swapped, kit)).toEqual([`--ok in dark: ${critical}`]);
    const other = kit.replace(/(\.state\.critical \{[^}]*)var\(--critical\)/, "$1var(--ok)");
    expect(contradictionsInColours(tokens, other)).toHaveLength(1);
  });
});
