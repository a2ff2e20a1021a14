import { type CommandField, type LocalText, localUnit, type Parameter } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "./kind-view.ts";
import type { Difference } from "./parameter-values.ts";

type Worded = Pick<CommandField, "unit"> & {
  readonly type: Parameter["type"];
  readonly choices?: readonly { readonly value: string; readonly name: LocalText }[];
};

/** A value of a parameter or of one of its columns in words. */
export function useParameterText(): (parameter: Worded, value: unknown) => string {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  return (parameter, value) => {
    if (value === undefined || value === null) return "--";
    if (typeof value === "boolean") return t(value ? "开" : "关");
    if (typeof value === "number") {
      const decimals = Math.min(3, `${value}`.split(".")[1]?.length ?? 0);
      return `${number(value, decimals)} ${local(localUnit(parameter.unit, value))}`.trim();
    }
    if (Array.isArray(value)) return value.length === 0 ? t("未设置") : t("{count} 行", { count: value.length });
    if (typeof value !== "string") return t("已设置");
    const choice = parameter.choices?.find((candidate) => candidate.value === value);
    return choice ? local(choice.name) : value === "" ? t("未设置") : value;
  };
}

/** A difference in words: which value, what it was, and what it becomes. */
export function useDifferenceWords(): (
  parameter: Parameter,
  difference: Difference,
) => { name: string; before: string; after: string } {
  const t = useTranslate();
  const local = useLocalText();
  const text = useParameterText();
  return (parameter, { row, column, before, after }) => {
    const columns = parameter.type === "structure" ? parameter.columns : [];
    const field = columns.find(({ key }) => key === column);
    const name = local(parameter.name);
    if (row !== undefined && column === "")
      return {
        name: t("{name} 第 {row} 行", { name, row }),
        before: before === undefined ? t("没有") : t("有"),
        after: after === undefined ? t("删除") : t("新增"),
      };
    const of: Worded = field ?? (parameter.type === "structure" ? { type: "text", unit: "" } : parameter);
    const fieldName = field ? local(field.name) : "";
    return {
      name:
        row !== undefined
          ? t("{name} 第 {row} 行 {field}", { name, row, field: fieldName })
          : field
            ? `${name} ${fieldName}`
            : name,
      before: text(of, before),
      after: text(of, after),
    };
  };
}
