import type { ChoiceField, ChoicesField, Field, NumberField, TextField } from "@herdwise/contract/resource";
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { Mark } from "../icons/mark.tsx";
import { CheckBox, Switch } from "../kit/check-box.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import styles from "./field-input.module.css";
import type { FormValue } from "./form-values.ts";
import type { ControlProps, InputProps } from "./input-props.ts";
import { useOptions } from "./resource-api.ts";

const ReferenceInput = lazy(async () => ({ default: (await import("./reference-input.tsx")).ReferenceInput }));
const DayInput = lazy(async () => ({ default: (await import("../kit/day-input.tsx")).DayInput }));
const RegionInput = lazy(async () => ({ default: (await import("./region-input.tsx")).RegionInput }));
const TimeRangesInput = lazy(async () => ({ default: (await import("./time-ranges-input.tsx")).TimeRangesInput }));

const textOf = (value: FormValue): string => (typeof value === "string" ? value : "");
const manyOptions = 3;

const shared = ({ id, describedBy, problem, locked }: ControlProps) => ({
  id,
  "aria-describedby": describedBy,
  "aria-invalid": problem !== undefined,
  readOnly: locked !== undefined,
});

function TextControl(props: ControlProps<TextField>) {
  const { field, value, onChange, onBlur, locked } = props;
  // A masked text is shown as received; the first input replaces all of it.
  const masked = field.personal?.startsWith("mask") && textOf(value).includes("*");
  if (field.lines)
    return (
      <textarea
        {...shared(props)}
        className={styles.lines}
        rows={field.lines}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    );
  return (
    <span className={styles.line}>
      <input
        {...shared(props)}
        className={styles.input}
        inputMode={
          field.rule === "mobile" || field.rule === "phone" ? "tel" : field.rule === "email" ? "email" : "text"
        }
        autoComplete="off"
        spellCheck={false}
        aria-required={field.required}
        value={textOf(value)}
        onFocus={(event) => masked && event.target.select()}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {locked !== undefined && <Icon name="lock" small />}
    </span>
  );
}

function NumberControl(props: ControlProps<NumberField>) {
  const t = useTranslate();
  const { field, value, onChange, onBlur } = props;
  return (
    <span className={styles.line}>
      <input
        {...shared(props)}
        className={styles.input}
        data-unit={field.unit ? "" : undefined}
        // The keypads for numbers have no minus sign on some phones.
        inputMode={field.min < 0 ? "text" : field.decimals ? "decimal" : "numeric"}
        autoComplete="off"
        aria-required={field.required}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {field.unit && <i>{t(field.unit)}</i>}
    </span>
  );
}

function ChoiceControl(props: ControlProps<ChoiceField>) {
  const t = useTranslate();
  const nameOf = useNames();
  const { id, field, value, onChange, onBlur, problem, describedBy, locked } = props;
  const options = useOptions(field);
  if (field.options && options.length <= manyOptions && field.required !== false && textOf(value) !== "")
    return (
      <fieldset
        className={styles.segments}
        aria-describedby={describedBy}
        aria-label={t(field.label)}
        disabled={locked !== undefined}
      >
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span>{nameOf(option.name)}</span>
          </label>
        ))}
      </fieldset>
    );
  const known = options.some((option) => option.value === value);
  return (
    <span className={styles.line}>
      <select
        id={id}
        className={styles.input}
        aria-describedby={describedBy}
        aria-invalid={problem !== undefined}
        aria-required={field.required}
        disabled={locked !== undefined}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      >
        {(!field.required || textOf(value) === "") && <option value="">{t("请选择")}</option>}
        {!known && textOf(value) !== "" && <option value={textOf(value)}>{textOf(value)}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {nameOf(option.name)}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </span>
  );
}

function ChoicesControl(props: ControlProps<ChoicesField>) {
  const t = useTranslate();
  const nameOf = useNames();
  const { id, field, value, onChange, describedBy, locked, problem } = props;
  const options = useOptions(field);
  const [word, setWord] = useState("");
  const chosen = Array.isArray(value) ? value : [];
  const found = options.filter(({ name }) => `${name} ${nameOf(name)}`.toLowerCase().includes(word.toLowerCase()));
  return (
    <fieldset
      className={styles.choices}
      aria-describedby={describedBy}
      aria-label={t(field.label)}
      aria-invalid={problem !== undefined}
      disabled={locked !== undefined}
      tabIndex={-1}
    >
      {options.length > 12 && (
        <input
          id={id}
          className={styles.input}
          type="search"
          aria-label={t("查找{label}", { label: t(field.label) })}
          placeholder={t("查找{label}", { label: t(field.label) })}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      )}
      <div>
        {found.map((option) => (
          <label key={option.value}>
            <CheckBox
              checked={chosen.includes(option.value)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...chosen, option.value]
                    : chosen.filter((held: string) => held !== option.value),
                )
              }
            />
            {nameOf(option.name)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function SwitchControl(props: ControlProps) {
  const t = useTranslate();
  const { id, value, onChange, describedBy, locked } = props;
  return (
    <label className={styles.switch} htmlFor={id}>
      <Switch
        id={id}
        aria-describedby={describedBy}
        disabled={locked !== undefined}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
      {t(value === true ? "是" : "否")}
    </label>
  );
}

function controlOf(props: ControlProps): ReactNode {
  const { field } = props;
  switch (field.kind) {
    case "text":
      if (field.rule === "time-ranges") return <TimeRangesInput {...props} />;
      if (field.rule === "region") return <RegionInput {...props} />;
      return <TextControl {...props} field={field} />;
    case "number":
      return <NumberControl {...props} field={field} />;
    case "choice":
      return <ChoiceControl {...props} field={field} />;
    case "choices":
      return <ChoicesControl {...props} field={field} />;
    case "reference":
      return <ReferenceInput {...props} field={field} />;
    case "date":
      return <DayInput {...props} />;
    case "switch":
      return <SwitchControl {...props} />;
    case "moment":
      return null;
  }
}

/** Whether an input takes the full width of the form. */
const isWide = (field: Field): boolean =>
  field.kind === "choices" ||
  (field.kind === "text" &&
    (field.lines !== undefined || field.rule === "time-ranges" || field.rule === "region" || field.max > 60));

/** A field of a form: label, input by kind, problem and earlier value. */
export function FieldInput({ as: Own, ...props }: InputProps & { as?: ComponentType<InputProps> | undefined }) {
  const t = useTranslate();
  const { id, field, problem, was, locked } = props;
  const hint = locked ?? (field.hint === undefined ? undefined : t(field.hint));
  const grouped = field.kind === "choices" || field.kind === "switch" || field.kind === "choice";
  const describedBy = [problem && `${id}-problem`, was && `${id}-was`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div
      className={styles.field}
      data-wide={isWide(field) || undefined}
      data-problem={problem !== undefined || undefined}
    >
      <label className={styles.label} htmlFor={id} id={`${id}-label`} data-grouped={grouped || undefined}>
        {t(field.label)}
        {field.required && (
          <em title={t("必填")}>
            <span aria-hidden="true">*</span>
            <span className="visually-hidden">{t("必填")}</span>
          </em>
        )}
      </label>
      <Suspense fallback={<span className={styles.waiting} />}>
        {Own ? <Own {...props} /> : controlOf({ ...props, describedBy })}
      </Suspense>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          <Mark name="major" />
          <span>{problem}</span>
        </p>
      )}
      {was && (
        <p id={`${id}-was`} className={styles.was}>
          {was}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
