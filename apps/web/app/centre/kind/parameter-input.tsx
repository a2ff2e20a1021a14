import { type CommandField, localUnit, type Problem } from "@herdwise/device-kinds";
import { useEffect, useState } from "react";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "./kind-view.ts";
import { typedNumber } from "./parameter-values.ts";
import { useParameterText } from "./parameter-words.ts";

export interface ValueInputProps {
  id: string;
  field: Pick<CommandField, "name" | "unit" | "type" | "range" | "choices"> & { readonly maxLength?: number };
  value: unknown;
  onChange: (value: unknown) => void;
  invalid: boolean;
  describedBy?: string | undefined;
  /** Says what it is, where no label stands beside it. */
  label?: string;
  disabled?: boolean;
}

const asTyped = (value: unknown): string => (value === null || value === undefined ? "" : String(value));
const isTime = (key: string): boolean => ["on", "off", "at"].includes(key);

/** A number as it is typed: what is half typed stays as it is. */
function NumberInput({
  value,
  onChange,
  ...rest
}: { value: unknown; onChange: (value: unknown) => void } & Attributes) {
  const [text, setText] = useState(asTyped(value));
  useEffect(() => setText((now) => (typedNumber(now) === value ? now : asTyped(value))), [value]);
  return (
    <input
      {...rest}
      className="input"
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange(typedNumber(event.target.value));
      }}
    />
  );
}
interface Attributes {
  id: string;
  disabled: boolean;
  "aria-label"?: string;
  "aria-invalid": boolean;
  "aria-describedby"?: string;
}

/** A value of a parameter, a column or a command's parameter. */
export function ValueInput({
  id,
  field,
  value,
  onChange,
  invalid,
  describedBy,
  label,
  disabled = false,
}: ValueInputProps) {
  const t = useTranslate();
  const local = useLocalText();
  const attributes: Attributes = {
    id,
    disabled,
    ...(label === undefined ? {} : { "aria-label": label }),
    "aria-invalid": invalid,
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
  };
  switch (field.type) {
    case "number":
      return <NumberInput {...attributes} value={value} onChange={onChange} />;
    case "boolean":
      return (
        <label className="tap">
          <CheckBox {...attributes} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        </label>
      );
    case "choice":
      return (
        <select
          {...attributes}
          className="input"
          value={asTyped(value)}
          onChange={(event) => onChange(event.target.value)}
        >
          {!field.choices?.some((choice) => choice.value === value) && (
            <option value={asTyped(value)}>{t("请选择")}</option>
          )}
          {field.choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {local(choice.name)}
            </option>
          ))}
        </select>
      );
    case "text":
      return (
        <input
          {...attributes}
          className="input"
          autoComplete="off"
          maxLength={field.maxLength ?? 64}
          value={asTyped(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

/** A time of the day, 00:00 to 24:00. */
function TimeInput({ value, onChange, ...rest }: Omit<ValueInputProps, "field">) {
  return (
    <input
      id={rest.id}
      className="input"
      inputMode="numeric"
      placeholder="08:00"
      autoComplete="off"
      maxLength={5}
      disabled={rest.disabled}
      aria-label={rest.label}
      aria-invalid={rest.invalid}
      aria-describedby={rest.describedBy}
      value={asTyped(value)}
      onChange={(event) => onChange(event.target.value.replace("：", ":"))}
      onBlur={(event) => {
        // 830 and 8:30 mean 08:30.
        const digits = /^(\d{1,2}):?(\d{2})$/.exec(event.target.value.trim());
        if (digits) onChange(`${(digits[1] ?? "").padStart(2, "0")}:${digits[2]}`);
      }}
    />
  );
}

/** The input of a column of a table. */
export function ColumnInput(props: ValueInputProps & { column: string }) {
  const { column, ...rest } = props;
  return rest.field.type === "text" && isTime(column) ? <TimeInput {...rest} /> : <ValueInput {...rest} />;
}

/** What may be entered: the range of a number with its unit. */
export function useRangeWords(): (field: Pick<CommandField, "type" | "unit" | "range">) => string {
  const t = useTranslate();
  const local = useLocalText();
  const text = useParameterText();
  return ({ type, unit, range }) => {
    if (type !== "number" || !range) return "";
    const plain = { type: "number", unit: "" } as const;
    return t("{low} 到 {high} {unit}", {
      low: text(plain, range[0]),
      high: text(plain, range[1]),
      unit: local(localUnit(unit)),
    }).trim();
  };
}

/** A problem in the chosen language. */
export function useProblemWords(): (problem: Problem) => string {
  const language = useLanguage();
  return (problem) => problem[language];
}
