import type { DeviceKind } from "@herdwise/device-kinds";
import { classesOf, type Element, parsed, spacedTextOf, textOf, withClass, within } from "./markup.ts";

/** What one place of a page says of one value. */
interface Claim {
  readonly place: string;
  readonly channel: string;
  /** As it is printed; undefined where none is. */
  readonly number: number | undefined;
  readonly ranges: readonly Range[];
  /** Words of the mark, or of the sentence. */
  readonly words: string;
  /** Colour class of the mark. */
  readonly tone: string | undefined;
  readonly standing: string | undefined;
  /** How bad it is, as the place draws it. */
  readonly state: string | undefined;
}

interface Range {
  readonly of: "comfort" | "usual" | "limit";
  readonly low: number;
  readonly high: number;
}

export type Language = "zh" | "en";
/** Markup of each place of a page. */
export type Page = Readonly<Record<string, string>>;

const states = ["notice", "minor", "major", "critical"] as const;
const rankOf = (state: string | undefined): number => states.indexOf(state as (typeof states)[number]) + 1;

const digits = /[-−]?\d[\d,]*(?:\.\d+)?/g;
const numbers = (words: string): number[] =>
  (words.match(digits) ?? []).map((one) => Number(one.replaceAll(",", "").replace("−", "-")));

const number = "[-−]?\\d[\\d,]*(?:\\.\\d+)?";
const rangeWords: Readonly<Record<string, readonly [of: Range["of"], side: "both" | "low" | "high"]>> = {
  舒适: ["comfort", "both"],
  通常: ["usual", "both"],
  上限: ["limit", "high"],
  下限: ["limit", "low"],
  限: ["limit", "both"],
  comfort: ["comfort", "both"],
  usually: ["usual", "both"],
  limit: ["limit", "high"],
  "lower limit": ["limit", "low"],
  limits: ["limit", "both"],
};

/** Ranges in words, as they stand beside a value: "舒适 65–75；限 45–85", "limit 20". */
function printedRanges(words: string): Range[] {
  const pattern = new RegExp(
    `(舒适|通常|上限|下限|限|comfort|usually|lower limit|limits|limit) ?(${number})(?:[–-](${number}))?`,
    "g",
  );
  return [...words.matchAll(pattern)].map(([, name = "", from = "", to]) => {
    const [of, side] = rangeWords[name] ?? ["limit", "both"];
    const [first = 0, second] = numbers(`${from} ${to ?? ""}`);
    if (side === "high") return { of, low: Number.NEGATIVE_INFINITY, high: first };
    if (side === "low") return { of, low: first, high: Number.POSITIVE_INFINITY };
    return { of, low: first, high: second ?? Number.POSITIVE_INFINITY };
  });
}

const tones = ["ok", "notice", "minor", "major", "critical", "aside", "off"] as const;
const toneOf = (element: Element | undefined): string | undefined =>
  element && tones.find((tone) => classesOf(element).includes(tone));

/** Where the number of a value stands in what shows it. */
const numberPlaces: readonly ((element: Element) => boolean)[] = [
  ({ attributes }) => "data-value" in attributes,
  withClass("figure"),
  withClass("big"),
  ({ tag, attributes }) => tag === "dd" && (attributes.class ?? "").includes("num"),
  ({ tag, attributes }) => tag === "b" && (attributes.class ?? "").includes("num"),
];

/** In the words of a drawing the number stands behind the name of its part. */
const inPart = ({ tag, attributes }: Element): boolean => tag === "span" && (attributes.class ?? "").includes("num");

function claimOf(place: string, element: Element): Claim {
  const { attributes } = element;
  const named =
    place === "drawing"
      ? within(element, inPart)[0]
      : numberPlaces.flatMap((fits) => within(element, fits).slice(0, 1))[0];
  const isFigure =
    place === "drawing" || place === "figures" || place === "tanks" || place === "problems" || place === "head";
  const [first] = named ? numbers(textOf(named)) : isFigure ? [] : numbers(textOf(element));
  const [mark] = within(element, withClass("state"));
  const [tag] = within(element, withClass("tag"));
  const beside = within(element, (one) => classesOf(one).includes("tgt") || one.tag === "small").map(spacedTextOf);
  return {
    place,
    channel: attributes["data-channel"] ?? attributes["data-of"] ?? "",
    number: first,
    // Elements around figures stand in the midst of a sentence.
    ranges: printedRanges(beside.join(" ").replaceAll(/\s+/g, " ")),
    words: mark ? textOf(mark) : "",
    tone: toneOf(mark) ?? toneOf(tag),
    standing: attributes["data-verdict"],
    state: attributes["data-state"],
  };
}

const claimsMade = new WeakMap<Page, Claim[]>();

/** What a page says of values, place by place. */
function claimsOn(page: Page): Claim[] {
  const made = claimsMade.get(page) ?? readClaims(page);
  claimsMade.set(page, made);
  return made;
}

const readClaims = (page: Page): Claim[] =>
  Object.entries(page).flatMap(([place, html]) =>
    within(parsed(html), ({ attributes }) => "data-verdict" in attributes || "data-of" in attributes).map((element) =>
      claimOf(place, element),
    ),
  );

/** Words of a mark that say the same in both languages, with what they claim. */
const verdictWords = [
  { says: "comfort", zh: /^舒适$/, en: /^comfortable$/ },
  { says: "usual", zh: /^在通常范围$/, en: /^as usual$/ },
  { says: "limits", zh: /^在限内$/, en: /^within limits$/ },
  { says: "normal", zh: /^正常$/, en: /^normal$/ },
  { says: "below", zh: /^比(舒适|通常)低 [\d.]+$/, en: /^[\d.]+ below (comfort|the usual)$/ },
  { says: "above", zh: /^比(舒适|通常)高 [\d.]+$/, en: /^[\d.]+ above (comfort|the usual)$/ },
  { says: "at-limit", zh: /^到上限$/, en: /^at the limit$/ },
  { says: "at-limit", zh: /^到下限$/, en: /^at the lower limit$/ },
  { says: "unknown", zh: /^无数据$/, en: /^no value$/ },
  { says: "rejected", zh: /^读数已剔除$/, en: /^reading rejected$/ },
  { says: "stale", zh: /^(过时|离线 .*|尚无上报)$/, en: /^(out of date|offline for .*|no report yet)$/ },
  { says: "masked", zh: /^(已屏蔽|空栏，已屏蔽|冲洗，已屏蔽)$/, en: /^(masked|empty, masked|washing, masked)$/ },
  { says: "over-limit", zh: /^(高于)?上限/, en: /^(above the )?limit/ },
  { says: "over-limit", zh: /^低于上限/, en: /^below the limit/ },
  { says: "over-limit", zh: /^(低于)?下限/, en: /^(below the )?lower limit/ },
  { says: "over-limit", zh: /^高于下限/, en: /^above the lower limit/ },
] as const;

const wordsIn = (language: Language, words: string) => verdictWords.find((one) => one[language].test(words));

const isOutside = (value: number, { low, high }: Range): boolean => value < low || value > high;

/** What one place says against itself: its mark, its word, its number and the range beside it. */
function inItself(claim: Claim, language: Language): string | undefined {
  const { number: value, ranges, words, tone, standing } = claim;
  if (claim.place === "drawing") return undefined;
  const isGood = tone === "ok";
  const says = wordsIn(language, words)?.says;
  if (isGood && claim.state !== undefined) return `a good mark beside ${claim.state}`;
  if (claim.state !== undefined && tone !== undefined && tone !== claim.state) return `${tone} beside ${claim.state}`;
  if (value === undefined) return isGood && claim.place === "figures" ? "nothing is called good" : undefined;
  const outside = ranges.filter((range) => isOutside(value, range));
  const limits = ranges.filter(({ of }) => of === "limit");
  const isBeyond = outside.some(({ of }) => of === "limit");
  const isPassed = limits.some(({ low, high }) => value <= low || value >= high);
  if (standing === "fine" && (isGood ? outside.length > 0 : tone !== undefined)) return "fine outside of its range";
  if (isGood && (outside.length > 0 || standing !== "fine")) return "a good mark outside of its range";
  if (isBeyond && standing !== "over-limit" && standing !== "stale") return "beyond a limit that no rule speaks of";
  if ((standing === "over-limit" || standing === "at-limit") && limits.length > 0 && !isPassed)
    return "within the limit that it is said to pass";
  if (tone !== undefined && standing !== undefined) {
    // In winter much is away from its comfort: that is no alarm, and what is masked is neither.
    const calm = { "off-comfort": "aside", "outside-comfort": "aside", masked: "off", idle: "off" }[standing];
    if (calm !== undefined && tone !== calm) return `${tone} for ${standing}`;
    if (/-comfort$/.test(standing) && ranges.length > 0 && (outside.length === 0 || isBeyond))
      return "away from a comfort that it is in";
  }
  // The word of the mark.
  if (says === "comfort" || says === "usual") {
    const band = ranges.find(({ of }) => of === says);
    // A band that is as wide as the limits is printed as these.
    if (band ? isOutside(value, band) : outside.length > 0) return `${words} outside of it`;
    if (says === "comfort" && ranges.some(({ of }) => of === "usual")) return `${words} without a comfort`;
  }
  if (says === "limits" && (limits.length === 0 || isBeyond)) return `${words} outside of them`;
  if (
    says !== undefined &&
    isGood !== (says === "comfort" || says === "usual" || says === "limits" || says === "normal")
  )
    return `${words} with a mark of ${tone}`;
  if (says === "below" || says === "above") {
    const [apart = 0] = numbers(words);
    const [band] = ranges.filter(({ of }) => of !== "limit");
    const off = band && (says === "below" ? band.low - value : value - band.high);
    if (off !== undefined && Math.abs(off - apart) > 0.0501) return `${words}, and it is ${off}`;
  }
  if (says === "over-limit") {
    const told = numbers(words).at(-1);
    if (
      told !== undefined &&
      limits.length > 0 &&
      !limits.some(({ low, high }) => isNear(low, told) || isNear(high, told))
    )
      return `${words}, and another limit is printed`;
  }
  return undefined;
}

/** Equal as far as both are printed. */
const isNear = (a: number, b: number): boolean =>
  a === b || (Number.isFinite(a) && Math.abs(a - b) <= 0.0501 + Math.abs(a) * 0.0005);

/** What places say against each other, and the head against its parts. */
function betweenPlaces(claims: readonly Claim[], page: Page): string[] {
  const found: string[] = [];
  const figures = new Map(claims.filter(({ place }) => place === "figures").map((claim) => [claim.channel, claim]));
  const listed = new Map(claims.filter(({ place }) => place === "values").map((claim) => [claim.channel, claim]));
  for (const claim of claims) {
    const { place, channel } = claim;
    const other = figures.get(channel) ?? listed.get(channel);
    if (other === undefined || other === claim) continue;
    if (
      claim.number !== undefined &&
      other.number !== undefined &&
      place !== "drawing" &&
      !isNear(claim.number, other.number)
    )
      found.push(`${place} says ${claim.number} of ${channel}, ${other.place} ${other.number}`);
    if (place !== "drawing" && claim.standing !== other.standing)
      found.push(`${place} has ${channel} as ${claim.standing}, ${other.place} as ${other.standing}`);
    if (place === "drawing" ? rankOf(claim.state) < rankOf(other.state) : claim.state !== other.state)
      found.push(`${place} draws ${channel} as ${claim.state}, ${other.place} as ${other.state}`);
    if (
      place === "drawing" &&
      claim.number !== undefined &&
      other.number !== undefined &&
      !isNear(claim.number, other.number)
    )
      found.push(`the drawing says ${claim.number} of ${channel}, ${other.place} ${other.number}`);
  }
  const worst = Math.max(0, ...claims.filter(({ place }) => place !== "drawing").map(({ state }) => rankOf(state)));
  const heads = [
    ...within(parsed(page.head ?? ""), withClass("worst")),
    ...within(parsed(page.tile ?? ""), withClass("tile")),
    ...within(parsed(page.list ?? ""), ({ tag }) => tag === "tr").flatMap((row) =>
      within(row, withClass("state")).slice(0, 1),
    ),
    // The first mark of a unit's row tells how the unit stands.
    ...Object.entries(page)
      .filter(([place]) => place.startsWith("barn"))
      .flatMap(([, html]) => within(parsed(html), withClass("state")).slice(0, 1)),
  ];
  for (const head of heads) {
    const told = rankOf(states.find((state) => classesOf(head).includes(state)));
    const isSilent = classesOf(head).some((name) => /^(off|silent|offline)$/.test(name));
    const [part] = claims.filter(({ place, state }) => place !== "drawing" && rankOf(state) === worst);
    if (told < worst && !isSilent)
      found.push(`a head says ${states[told - 1] ?? "good"}, ${part?.place} of ${part?.channel} ${states[worst - 1]}`);
  }
  if (page.head === "" && worst > 0 && heads.length === 0) found.push("no head says what is wrong");
  return found;
}

/** What is printed at the places of a drawing must be what the list of all values says. */
function inDrawing(page: Page, claims: readonly Claim[]): string[] {
  const told = claims.filter(({ number: value }) => value !== undefined);
  const plates = within(
    parsed(page.drawing ?? ""),
    ({ tag, attributes }) => tag === "text" && /value/.test(attributes.class ?? ""),
  );
  return plates.flatMap((plate) => {
    const [value] = numbers(textOf(plate).replace(/[a-zA-Z]+\d/g, ""));
    if (value === undefined || told.some((claim) => claim.number !== undefined && isNear(claim.number, value)))
      return [];
    return [`the drawing prints ${textOf(plate)}, which nothing else says`];
  });
}

/** A sentence against the figure that it is about. */
function inSentences(page: Page, claims: readonly Claim[]): string[] {
  return within(parsed(page.sentences ?? ""), ({ attributes }) => "data-sentence" in attributes).flatMap((sentence) => {
    const { "data-sentence": channel = "", "data-rule": rule = "", "data-name": name = "" } = sentence.attributes;
    const about = claims.filter(
      (one) => one.channel === channel && one.number !== undefined && one.place !== "drawing",
    );
    const claim = about.find(({ ranges }) => ranges.length > 0) ?? about[0];
    const [value, limit] = numbers(
      textOf(sentence)
        .replace(rule, "")
        .replace(name, "")
        .replace(/[A-Za-z₀-₉]+\d+/g, ""),
    );
    if (claim?.number === undefined || value === undefined || limit === undefined) return [];
    if (!isNear(value, claim.number)) return [`a sentence says ${value} of ${channel}, ${claim.place} ${claim.number}`];
    const limits = claim.ranges.filter(({ of }) => of === "limit");
    if (limits.length > 0 && !limits.some(({ low, high }) => isNear(low, limit) || isNear(high, limit)))
      return [`a sentence says limit ${limit} of ${channel}, ${claim.place} another`];
    return [];
  });
}

const severities: Readonly<Record<string, string>> = {
  WARN: "notice",
  MINOR: "minor",
  MAJOR: "major",
  CRITICAL: "critical",
};

/** An alarm is as bad as the value that it is about, whether somebody acknowledged it or not, and says the same in a report. */
const inAlarms = (page: Page): string[] => {
  const reported = within(parsed(page.report ?? ""), ({ tag }) => tag === "li");
  const said = within(parsed(page.sentences ?? ""), ({ attributes }) => "data-sentence" in attributes).map(textOf);
  return within(parsed(page.alarms ?? ""), ({ attributes }) => "data-alarm" in attributes).flatMap((alarm, at) => {
    const [row] = within(alarm, (one) => "data-severity" in one.attributes);
    const tone = severities[row?.attributes["data-severity"] ?? ""];
    const { "data-alarm": channel, "data-state": state } = alarm.attributes;
    const line = reported[at];
    const [mark] = line ? within(line, withClass("state")) : [];
    return [
      ...(tone === state ? [] : [`an alarm of ${channel} is drawn as ${tone}, its value as ${state}`]),
      ...(toneOf(mark) === state ? [] : [`a report draws an alarm of ${channel} as ${toneOf(mark)}, not ${state}`]),
      ...(line && textOf(line).includes(said[at] ?? "") ? [] : [`a report says something else of ${channel}`]),
    ];
  });
};

/** Everything that a page says against itself, in one language. */
export function contradictionsOn(page: Page, language: Language): string[] {
  const claims = claimsOn(page);
  return [
    ...claims.flatMap((claim) => {
      const fault = inItself(claim, language);
      return fault === undefined ? [] : [`${claim.place}, ${claim.channel} ${claim.number}: ${fault} (${claim.words})`];
    }),
    ...betweenPlaces(claims, page),
    ...inDrawing(page, claims),
    ...inSentences(page, claims),
    ...inAlarms(page),
  ];
}

/** Where the English page says something else than the Chinese one. */
export function contradictionsBetween(kind: DeviceKind, zh: Page, en: Page): string[] {
  const [inChinese, inEnglish] = [claimsOn(zh), claimsOn(en)];
  if (inChinese.length !== inEnglish.length)
    return [`${inChinese.length} values in Chinese, ${inEnglish.length} in English`];
  return inChinese.flatMap((claim, at) => {
    const other = inEnglish[at];
    if (other === undefined) return [];
    const where = `${claim.place}, ${claim.channel}`;
    const told = JSON.stringify([claim.number, claim.ranges, claim.tone, claim.standing, claim.state]);
    const toldInEnglish = JSON.stringify([other.number, other.ranges, other.tone, other.standing, other.state]);
    if (told !== toldInEnglish) return [`${where}: ${told} in Chinese, ${toldInEnglish} in English`];
    const rule = kind.alarmRules.find(({ name }) => name.zh === claim.words);
    const isSame = rule
      ? rule.name.en.toLowerCase() === other.words.toLowerCase()
      : verdictWords.some((one) => one.zh.test(claim.words) && one.en.test(other.words)) ||
        ((claim.words === "") === (other.words === "") && !wordsIn("zh", claim.words) && !wordsIn("en", other.words));
    const amounts = [numbers(claim.words).join(), numbers(other.words).join()];
    if (isSame && amounts[0] === amounts[1]) return [];
    return [`${where}: “${claim.words}” in Chinese, “${other.words}” in English`];
  });
}

/** Hue in degrees and saturation of a colour such as "#1b7a45". */
function hueOf(colour: string): { hue: number; saturation: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  const sixth =
    span === 0
      ? 0
      : most === red
        ? ((green - blue) / span + 6) % 6
        : most === green
          ? (blue - red) / span + 2
          : (red - green) / span + 4;
  return { hue: sixth * 60, saturation: most === 0 ? 0 : span / most };
}

/** Which colours say what, in degrees of hue. */
const hues: Readonly<Record<string, readonly [from: number, to: number]>> = {
  ok: [110, 170],
  notice: [195, 225],
  minor: [36, 56],
  major: [12, 35],
  critical: [340, 372],
};

/** Where a state has another colour in a theme, or a mark another token, than what it says. */
export function contradictionsInColours(tokens: string, kit: string): string[] {
  const found: string[] = [];
  for (const [state, [from, to]] of Object.entries(hues)) {
    for (const token of [state, `${state}-mark`]) {
      const [, light = "", dark = ""] =
        new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
      for (const [theme, colour] of [
        ["light", light],
        ["dark", dark],
      ]) {
        const { hue, saturation } = hueOf(colour ?? "");
        const turned = hue < from && to > 360 ? hue + 360 : hue;
        if (!colour || saturation < 0.25 || turned < from || turned > to)
          found.push(`--${token} in ${theme}: ${colour}`);
      }
    }
    for (const mark of ["state", "tag"]) {
      const [, rule = ""] = new RegExp(`\\.${mark}\\.${state} \\{([^}]*)\\}`).exec(kit) ?? [];
      if (!rule.includes(`color: var(--${state})`)) found.push(`.${mark}.${state} is ${rule.trim()}`);
    }
  }
  for (const grey of ["off", "off-mark"]) {
    const [, ...colours] = new RegExp(`--${grey}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
    for (const colour of colours) if (hueOf(colour).saturation > 0.25) found.push(`--${grey}: ${colour}`);
  }
  return found;
}
