import { type ContractField, yuanText } from "@herdwise/contract/contract-text";
import { useState } from "react";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { DayInput } from "../../shared/kit/day-input.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";

interface ValueFieldProps {
  field: ContractField;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/** Yuan as people type them, kept as fen; what can't be read is kept as it is and refused with its field. */
function MoneyField({ field, value, problem, onChange, label }: ValueFieldProps & { label: string }) {
  const t = useTranslate();
  const [typed, setTyped] = useState(() => (/^\d+$/.test(value) ? yuanText(Number(value)) : value));
  return (
    <TextField
      id={`value-${field.key}`}
      label={label}
      required={field.required}
      autoComplete="off"
      value={typed}
      problem={problem}
      hint={t("元，最多两位小数")}
      onChange={(text) => {
        setTyped(text);
        const [, whole, rest = ""] = /^(\d{1,10})(?:\.(\d{0,2}))?$/.exec(text.replace(/[,，\s¥￥]/g, "")) ?? [];
        onChange(whole === undefined ? text : String(Number(whole) * 100 + Number(rest.padEnd(2, "0"))));
      }}
    />
  );
}

/** A value of a contract, by the type of its field. */
export function ValueField(props: ValueFieldProps) {
  const { field, value, problem, onChange } = props;
  const t = useTranslate();
  const language = useLanguage();
  const label = language === "en" && field.nameEn !== "" ? field.nameEn : field.name;
  const id = `value-${field.key}`;
  switch (field.type) {
    case "money":
      return <MoneyField {...props} label={label} />;
    case "date":
      return (
        <div className="form-field">
          <div className="f-head">
            <span id={`${id}-label`}>
              {label}
              {field.required && (
                <i className="must" aria-hidden="true">
                  *
                </i>
              )}
            </span>
          </div>
          <DayInput id={id} value={value} onChange={onChange} problem={problem} describedBy={`${id}-problem`} />
          <Problem id={`${id}-problem`} text={problem} />
        </div>
      );
    case "choice":
      return (
        <SelectField
          id={id}
          label={label}
          required={field.required}
          value={value}
          problem={problem}
          onChange={onChange}
          options={[["", t("请选择")], ...field.options.map(({ zh }) => [zh, zh] as const)]}
        />
      );
    default:
      return (
        <TextField
          id={id}
          label={label}
          required={field.required}
          autoComplete="off"
          maxLength={500}
          {...(field.type === "number" && { inputMode: "numeric" as const })}
          value={value}
          problem={problem}
          onChange={onChange}
        />
      );
  }
}
