import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import inputs from "./field-input.module.css";
import type { ControlProps } from "./input-props.ts";
import styles from "./region-input.module.css";
import { countryCode, useRegions } from "./regions.ts";

const levels = [
  { length: 2, label: "省" },
  { length: 4, label: "市" },
  { length: 6, label: "区县" },
] as const;

interface RegionChoiceProps extends Pick<ControlProps, "id" | "onBlur" | "problem" | "describedBy"> {
  /** In the chosen language. */
  label: string;
  /** Code of the smallest chosen division; "" for none. */
  code: string;
  onChange: (code: string) => void;
  disabled?: boolean;
  /** Levels that are offered, from the province downwards. */
  depth?: 2 | 3;
}

/** `RegionChoice` as an input of a resource's form. */
export function RegionInput({ value, locked, field, ...props }: ControlProps) {
  const t = useTranslate();
  const code = typeof value === "string" ? value : "";
  return <RegionChoice {...props} label={t(field.label)} code={code} disabled={locked !== undefined} />;
}

/** Choice of province, city and county; each level is fetched when the one above is chosen. */
export function RegionChoice(props: RegionChoiceProps) {
  const { id, label, code, onChange, onBlur, problem, describedBy, disabled = false, depth = levels.length } = props;
  const t = useTranslate();
  const nameOf = useNames();
  const [province, city] = [code.slice(0, 2), code.slice(0, 4)];
  const lists = [
    useRegions(countryCode),
    useRegions(province.length === 2 ? province : undefined),
    useRegions(depth === levels.length && city.length === 4 ? city : undefined),
  ];
  if (lists[0]?.isError)
    return (
      <input
        id={id}
        className={inputs.input}
        inputMode="numeric"
        aria-describedby={describedBy}
        aria-invalid={problem !== undefined}
        readOnly={disabled}
        placeholder={t("地区编码，2 到 6 位")}
        value={code}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    );
  return (
    <fieldset className={styles.levels} aria-label={label} aria-describedby={describedBy} disabled={disabled}>
      {levels.slice(0, depth).map(({ length, label }, index) => {
        const options = lists[index]?.data ?? [];
        const chosen = code.length >= length ? code.slice(0, length) : "";
        if (index > 0 && options.length === 0) return null;
        return (
          <span key={label} className={inputs.line}>
            <select
              id={index === 0 ? id : undefined}
              className={inputs.input}
              aria-label={t(label)}
              aria-invalid={problem !== undefined}
              value={chosen}
              onChange={(event) => onChange(event.target.value || code.slice(0, length - 2))}
              onBlur={onBlur}
            >
              <option value="">{t(label)}</option>
              {options.map((option) => (
                <option key={option.id} value={option.id}>
                  {nameOf(option.title)}
                </option>
              ))}
            </select>
            <Icon name="down" small />
          </span>
        );
      })}
    </fieldset>
  );
}
