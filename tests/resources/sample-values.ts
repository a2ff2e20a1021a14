import { type Field, type ResourceDeclaration, type TextRule, writtenFieldsOf } from "@herdwise/contract";

/** Texts that each named rule takes. */
const byRule: Readonly<Record<TextRule, (at: number) => string>> = {
  "person-name": (at) => `人${[...String(at % 1000)].map((digit) => "〇一二三四五六七八九"[Number(digit)]).join("")}`,
  mobile: (at) => `139${String(at).padStart(8, "0")}`,
  phone: (at) => `138${String(at).padStart(8, "0")}`,
  email: (at) => `name${at}@example.cn`,
  code: (at) => `C-${at}`,
  "login-name": (at) => `name.${at}`,
  "time-ranges": (at) => `08:${String(at % 60).padStart(2, "0")}-12:00,14:00-18:00`,
  "date-time": (at) => `2026-03-24 05:${String(at % 60).padStart(2, "0")}`,
  region: () => "411325",
  path: (at) => `/path/${at}`,
  link: (at) => `/link/${at}`,
  "web-address": (at) => `https://hooks.example.cn/in/${at}`,
};

/** Texts at the edge of each rule that it takes. */
const atTheEdge: Readonly<Record<TextRule, readonly string[]>> = {
  "person-name": ["王强", "欧阳修远文", "买买提·吐尔逊", "Li", "Anna B. Berg", `阿${"·阿".repeat(14)}里`],
  mobile: ["13000000000", "19999999999"],
  phone: ["010-12345678", "037112345678", "0371-1234567-12345", "400-800-1234", "8008001234"],
  email: ["a@b.cn"],
  code: ["a", "Z-9_z"],
  "login-name": ["王强", "a.b@c-d_e", "用".repeat(32)],
  "time-ranges": ["00:00-24:00", "08:00-12:00,12:00-18:00"],
  "date-time": ["2024-02-29 00:00", "2026-12-31 23:59"],
  region: ["41", "4113"],
  path: ["/"],
  link: ["/", "https://mall.example.cn/pc/?token=1"],
  "web-address": ["https://a.cn", "http://10.1.2.3:8080/in?key=1"],
};

/** Texts just beyond each rule. */
const beyond: Readonly<Record<TextRule, readonly string[]>> = {
  "person-name": ["王", "六个字的名字", "王3", "买买提··吐尔逊", "·买买提", "\u0301\u0301"],
  mobile: ["1390000000", "139000000001", "12900000000", "a13900000000"],
  phone: ["138000000001", "123-12345678", "400-800-1234x", "12345678"],
  email: ["name", "name@host", "na me@example.cn", "@example.cn"],
  code: ["a b", "-a", "a.b", "a中"],
  "login-name": ["a", "a b", "a/b", "用".repeat(33)],
  "time-ranges": [
    "12:00-08:00",
    "08:00-08:00",
    "08:00-12:00,11:59-13:00",
    "08:00-24:30",
    "8:00-12:00",
    "08:00-09:00-10:00",
  ],
  "date-time": ["2026-03-24", "2026-02-29 05:30", "2026-03-24 24:00", "2026-03-24 5:30"],
  region: ["411", "41132", "4a"],
  path: ["path", "/a b"],
  link: [
    ...[
      "path",
      "/a b",
      "//other.example",
      "/\\other.example",
      "https:///other.example",
      "/a/../b",
      "/%2e%2E/b",
      "/..",
      "/a%2F..%2fb",
    ],
    ...["javascript:alert(1)", "JavaScript:alert(1)", "\tjavascript:alert(1)", "data:text/html,x", "vbscript:x"],
  ],
  "web-address": [
    "hooks.example.cn",
    "/in",
    "ftp://a.cn",
    "https://",
    "https://a b.cn",
    "https://user:pass@a.cn/",
    "javascript:1",
  ],
};

/** Keys of the dictionaries that declarations name. */
export type DictionaryKeys = Readonly<Record<string, readonly string[]>>;

/** Keys that a choice offers. */
const keysOf = (field: Field, keys: DictionaryKeys): readonly string[] =>
  field.kind === "choice" || field.kind === "choices"
    ? (field.options?.map(([key]) => key) ?? keys[field.dictionary ?? ""] ?? [])
    : [];

/** A value that a field takes; two numbers give two values wherever the field has as many. */
export function sampleValue(name: string, field: Field, at: number, keys: DictionaryKeys): unknown {
  switch (field.kind) {
    case "text": {
      if (field.rule) return byRule[field.rule](at);
      const text = field.max <= 8 ? `人${at % 1000}` : `${name.slice(0, 6)} ${at}`;
      return text.slice(0, field.max).padEnd(field.min ?? 0, "x");
    }
    case "number":
      return Math.min(field.max, field.min + at);
    case "choice":
    case "choices": {
      const known = keysOf(field, keys);
      const one = known[at % known.length];
      return field.kind === "choice" ? one : [one];
    }
    case "date":
      return `2026-0${1 + (at % 9)}-15`;
    case "switch":
      return at % 2 === 1;
    case "reference":
    case "moment":
      return undefined;
  }
}

type Sample = Record<string, unknown>;

/** A day of its own for each sample, in the future, so that no two are one version and none holds yet. */
const dayOf = (at: number): string => new Date(Date.UTC(2900, 0, 1 + at)).toISOString().slice(0, 10);

/** What rows must keep to across their fields, by resource. The field that is given keeps its value. */
const acrossFields: Readonly<Record<string, (row: Sample, given: string | undefined) => Sample>> = {
  loading_slot: (row, given) => {
    const weekday = given === "onDay" ? "date" : given !== "weekday" && row.weekday === "date" ? "daily" : row.weekday;
    const kind = given === "kind" ? row.kind : "open";
    return { weekday, kind, onDay: weekday === "date" ? row.onDay : "", times: kind === "open" ? row.times : "" };
  },
  weight_band: (_row, given) => (given === "toGrams" ? { fromGrams: 0 } : { toGrams: 1_000_000 }),
  sales_model: (_row, given) => ({
    ...(given !== "mode" && { mode: "fixed" }),
    ...(given === "mostHeads" ? { leastHeads: 1 } : { mostHeads: 100_000 }),
  }),
  // A registered screen lives at its own address.
  menu: (row, given) =>
    given === "component" ? { path: String(row.component).replace(/\/index$/, "") } : { component: "" },
};

/** Texts that a field takes alone, by resource and field. */
const ofList: Readonly<Record<string, readonly string[]>> = { "menu.component": ["/system/post/index", ""] };

/** A whole row that the server takes, but for references. @param given a value that one of its fields must have */
export function sampleRow(
  of: ResourceDeclaration,
  at: number,
  keys: DictionaryKeys,
  given?: { name: string; value: unknown },
): Sample {
  const row: Sample = Object.fromEntries(
    writtenFieldsOf(of)
      .map(([name, field]): [string, unknown] => [name, sampleValue(name, field, at, keys)])
      .filter(([, value]) => value !== undefined),
  );
  const across = acrossFields[of.name];
  if (across && "validFrom" in row) row.validFrom = dayOf(at);
  if (given) row[given.name] = given.value;
  return { ...row, ...across?.(row, given?.name) };
}

/** Values at the bounds of a field, which it takes as they are. @param at makes texts differ that must be unique */
export function rightValues(field: Field, at: number, keys: DictionaryKeys): unknown[] {
  switch (field.kind) {
    case "text": {
      if (field.rule) return atTheEdge[field.rule].filter((text) => text.length <= field.max);
      // One character in two units of UTF-16: a length is counted in characters.
      const filled = (length: number) =>
        `${at}`.slice(-length).padEnd(2 * length - `${at}`.slice(-length).length, "𠮷");
      return [filled(field.max), filled(Math.max(field.min ?? 1, 1)), ...(field.lines ? ["a\nb"] : [])];
    }
    case "number":
      return [field.min, field.max];
    case "choices":
      return [keysOf(field, keys).slice(0, field.max)];
    case "choice":
      return [...keysOf(field, keys)];
    case "date":
      return ["2028-02-29", "0001-01-01"];
    case "switch":
      return [true, false];
    case "reference":
    case "moment":
      return [];
  }
}

/** Whether a text field takes texts of a list alone. */
export const takesListed = ({ name: resource }: ResourceDeclaration, name: string): boolean =>
  `${resource}.${name}` in ofList;

/** As `rightValues`, of a field of a resource. */
export const rightValuesOf = (
  { name: resource }: ResourceDeclaration,
  name: string,
  ...of: Parameters<typeof rightValues>
): unknown[] => [...(ofList[`${resource}.${name}`] ?? rightValues(...of))];

/** Values of a field that must be refused, each with the reason. */
export function wrongValues(field: Field, keys: DictionaryKeys): { value: unknown; reason: string }[] {
  const wrong: { value: unknown; reason: string }[] = [];
  if (field.required) wrong.push({ value: field.kind === "choices" ? [] : "", reason: "field.required" });
  switch (field.kind) {
    case "text":
      if (field.required) wrong.push({ value: "  ", reason: "field.required" });
      wrong.push({ value: "x".repeat(field.max + 1), reason: "field.too_long" });
      wrong.push({ value: "ab\0", reason: "field.type" }, { value: "ab\ud800", reason: "field.type" });
      if (!field.lines) wrong.push({ value: "a\nb", reason: "field.one_line" });
      if (field.min !== undefined && field.min > 1)
        wrong.push({ value: "x".repeat(field.min - 1), reason: "field.length" });
      if (field.rule) {
        const reason = `field.${field.rule.replace("-", "_")}`;
        for (const value of beyond[field.rule]) if (value.length <= field.max) wrong.push({ value, reason });
      }
      break;
    case "number":
      wrong.push({ value: field.max + 1, reason: "field.range" }, { value: field.min - 1, reason: "field.range" });
      wrong.push({ value: "abc", reason: "field.number" }, { value: field.min + 0.5, reason: "field.number" });
      break;
    case "choice":
      wrong.push({ value: "no-such-value", reason: "field.choice" });
      break;
    case "choices": {
      const [known = ""] = keysOf(field, keys);
      wrong.push({ value: [known, "no-such-value"], reason: "field.choice" });
      wrong.push({ value: Array.from({ length: field.max + 1 }, () => known), reason: "field.too_many" });
      break;
    }
    case "reference":
      for (const value of ["1", "abc", "1x", "1".repeat(20), "9".repeat(19)])
        wrong.push({ value, reason: "field.reference" });
      break;
    case "date":
      for (const value of ["2026-02-30", "2026-2-3", "tomorrow"]) wrong.push({ value, reason: "field.date" });
      break;
    case "switch":
    case "moment":
      break;
  }
  return wrong;
}
