/** Checks of structured parameters; each returns the problems in words, for both the form and the server. */
import type { CommandField, Parameter, Problem } from "./device-kind.ts";
import { fanCount, maxGears } from "./gears.ts";

/** Most lighting groups, spray timers and similar daily programmes of a controller. */
export const maxGroups = 6;
/** Most points of a day curve. */
export const maxCurvePoints = 10;

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
const at = (index: number, field: string): string => `${index}.${field}`;

/** Minutes since midnight of "HH:mm" (24:00 is the end of the day); undefined when it is not a time. */
export function minuteOfDay(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(value);
  if (!match) return undefined;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return minute <= 1440 ? minute : undefined;
}

function rowsOf(value: unknown, problems: Problem[]): readonly Row[] | undefined {
  if (Array.isArray(value) && value.every(isRow)) return value;
  problems.push({ path: "", zh: "格式不对，应为一张表", en: "Not a table" });
  return undefined;
}

function checkCount(rows: readonly Row[], max: number, zh: string, en: string, problems: Problem[]): void {
  if (rows.length > max) {
    problems.push({ path: "", zh: `${zh}最多 ${max} 组，现有 ${rows.length} 组`, en: `At most ${max} ${en}` });
  }
}

/** Problems of one field: missing, of the wrong type, out of range. */
export function checkField(field: CommandField, value: unknown, path: string): Problem[] {
  if (isEmpty(value)) {
    return field.required ? [{ path, zh: `${field.name.zh}不能为空`, en: `${field.name.en} must not be empty` }] : [];
  }
  const wrong = [{ path, zh: `${field.name.zh}格式不对`, en: `${field.name.en} is not valid` }];
  switch (field.type) {
    case "number": {
      if (typeof value !== "number" || !Number.isFinite(value)) return wrong;
      const [low, high] = field.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      const unit = field.unit === "" ? "" : ` ${field.unit}`;
      return value < low || value > high
        ? [
            {
              path,
              zh: `${field.name.zh}应在 ${low} 到 ${high}${unit} 之间`,
              en: `${field.name.en} must be ${low} to ${high}${unit}`,
            },
          ]
        : [];
    }
    case "boolean":
      return typeof value === "boolean" ? [] : wrong;
    case "text":
      return typeof value === "string" ? [] : wrong;
    case "choice":
      return field.choices?.some((choice) => choice.value === value) ? [] : wrong;
  }
}

const checkFields = (columns: readonly CommandField[], row: Row, index: number): Problem[] =>
  columns.flatMap((column) => checkField(column, row[column.key], at(index, column.key)));

/** Problems of a command's parameters. */
export const checkCommandFields = (fields: readonly CommandField[], value: unknown): Problem[] =>
  isRow(value)
    ? fields.flatMap((field) => checkField(field, value[field.key], field.key))
    : fields.some((field) => field.required)
      ? [{ path: "", zh: "缺少参数", en: "Parameters are missing" }]
      : [];

/** Problems of a setting's value of any type; an empty list means that it can be sent to a device. */
export function checkParameter(parameter: Parameter, value: unknown): Problem[] {
  if (parameter.type === "structure") return parameter.validate(value);
  const { key, name, unit } = parameter;
  const problems = checkField(
    {
      key,
      name,
      unit,
      type: parameter.type,
      required: true,
      ...(parameter.type === "number" && { range: parameter.range }),
      ...(parameter.type === "choice" && { choices: parameter.choices }),
    },
    value,
    "",
  );
  if (problems.length > 0 || parameter.type !== "text" || String(value).length <= parameter.maxLength) return problems;
  return [
    {
      path: "",
      zh: `${name.zh}最多 ${parameter.maxLength} 个字符`,
      en: `${name.en}: at most ${parameter.maxLength} characters`,
    },
  ];
}

/** Check of a single record. */
export const checkRecord =
  (columns: readonly CommandField[], more: (record: Row) => Problem[] = () => []) =>
  (value: unknown): Problem[] => {
    if (!isRow(value)) return [{ path: "", zh: "格式不对", en: "Not a record" }];
    const problems = columns.flatMap((column) => checkField(column, value[column.key], column.key));
    return problems.length > 0 ? problems : more(value);
  };

/** Check of a table that has no rules except its fields and its length. */
export const checkTable =
  (columns: readonly CommandField[], max: number, zh: string, en: string) =>
  (value: unknown): Problem[] => {
    const problems: Problem[] = [];
    const rows = rowsOf(value, problems);
    if (!rows) return problems;
    checkCount(rows, max, zh, en, problems);
    rows.forEach((row, index) => {
      problems.push(...checkFields(columns, row, index));
    });
    return problems;
  };

/** Fan table: at most 18 gears, counted from 1 without gaps, every field filled, temperatures ascending. */
export const checkFanTable =
  (columns: readonly CommandField[]) =>
  (value: unknown): Problem[] => {
    const problems: Problem[] = [];
    const rows = rowsOf(value, problems);
    if (!rows) return problems;
    if (rows.length === 0) problems.push({ path: "", zh: "风机配置不能为空", en: "The fan table must not be empty" });
    if (rows.length > maxGears) {
      problems.push({
        path: "",
        zh: `风机档位最多 ${maxGears} 档，现有 ${rows.length} 档`,
        en: `At most ${maxGears} fan gears, there are ${rows.length}`,
      });
    }
    rows.forEach((row, index) => {
      problems.push(...checkFields(columns, row, index));
      if (typeof row.gear === "number" && row.gear !== index + 1) {
        problems.push({
          path: at(index, "gear"),
          zh: `档位应从 1 起连续，此行应为 ${index + 1}`,
          en: `Gears count from 1 without gaps; this row must be ${index + 1}`,
        });
      }
      const { t_up: up, t_down: down, fans } = row;
      if (typeof fans === "number" && (!Number.isInteger(fans) || fans > fanCount)) {
        problems.push({
          path: at(index, "fans"),
          zh: `风机数应为 0 到 ${fanCount} 的整数`,
          en: `Fans must be a whole number, 0 to ${fanCount}`,
        });
      }
      if (typeof up === "number" && typeof down === "number" && down >= up) {
        problems.push({
          path: at(index, "t_down"),
          zh: "降档温度应低于升档温度",
          en: "The down temperature must be below the up temperature",
        });
      }
      const before = rows[index - 1]?.t_up;
      if (typeof up === "number" && typeof before === "number" && up <= before) {
        problems.push({
          path: at(index, "t_up"),
          zh: `升档温度应逐档升高，上一档为 ${before} ℃`,
          en: `Up temperatures must ascend; the gear before has ${before} °C`,
        });
      }
      if (row.spray === true && (row.spray_on_s === 0 || typeof row.spray_on_s !== "number")) {
        problems.push({
          path: at(index, "spray_on_s"),
          zh: "开启喷淋时，喷淋时长应大于 0",
          en: "Spray time must be above 0 where spray is on",
        });
      }
    });
    return problems;
  };

type Span = { readonly index: number; readonly from: number; readonly to: number; readonly lane: unknown };

/**
 * Check of time spans: not empty, closing not before opening; with `overlap: "forbidden"` no span may overlap another of the
 * same lane.
 */
export const checkTimeSpans =
  (options: {
    readonly columns: readonly CommandField[];
    readonly open: string;
    readonly close: string;
    readonly max: number;
    readonly zh: string;
    readonly en: string;
    readonly overlap: "allowed" | "forbidden";
    /** Spans with different values in this field (channel, tank, day) may overlap. */
    readonly lane?: string;
  }) =>
  (value: unknown): Problem[] => {
    const problems: Problem[] = [];
    const rows = rowsOf(value, problems);
    if (!rows) return problems;
    checkCount(rows, options.max, options.zh, options.en, problems);
    const spans: Span[] = [];
    rows.forEach((row, index) => {
      for (const key of [options.open, options.close]) {
        if (isEmpty(row[key]))
          problems.push({ path: at(index, key), zh: "时间不能为空", en: "Time must not be empty" });
        else if (minuteOfDay(row[key]) === undefined) {
          problems.push({ path: at(index, key), zh: "时间格式应为 时:分", en: "Time must read HH:mm" });
        }
      }
      const others = options.columns.filter((column) => column.key !== options.open && column.key !== options.close);
      problems.push(...checkFields(others, row, index));
      const from = minuteOfDay(row[options.open]);
      const to = minuteOfDay(row[options.close]);
      if (from === undefined || to === undefined) return;
      if (to < from) {
        problems.push({
          path: at(index, options.close),
          zh: "关闭时间不能早于开启时间",
          en: "Closing time must not be before opening time",
        });
        return;
      }
      spans.push({ index, from, to, lane: options.lane ? row[options.lane] : undefined });
    });
    if (options.overlap === "allowed") return problems;
    spans.sort((a, b) => a.from - b.from || a.to - b.to);
    for (const [position, span] of spans.entries()) {
      const other = spans.slice(0, position).find((earlier) => earlier.lane === span.lane && earlier.to > span.from);
      if (other) {
        problems.push({
          path: at(span.index, options.open),
          zh: `与第 ${other.index + 1} 组时段重叠`,
          en: `Overlaps with period ${other.index + 1}`,
        });
      }
    }
    return problems;
  };

/** Day curve: at most 10 points, days ascending. */
export const checkDayCurve =
  (columns: readonly CommandField[]) =>
  (value: unknown): Problem[] => {
    const problems = checkTable(columns, maxCurvePoints, "日龄曲线", "curve points")(value);
    if (!Array.isArray(value)) return problems;
    value.forEach((row: unknown, index) => {
      const before: unknown = value[index - 1];
      if (!isRow(row) || !isRow(before)) return;
      if (typeof row.day === "number" && typeof before.day === "number" && row.day <= before.day) {
        problems.push({ path: at(index, "day"), zh: "日龄应逐点增大", en: "Days must ascend" });
      }
    });
    return problems;
  };
