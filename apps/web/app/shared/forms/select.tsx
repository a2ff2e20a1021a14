import type { ComponentProps } from "react";
import { TranslatedOption } from "../language/translated.tsx";

type SelectProps<Value> = Omit<ComponentProps<"select">, "value" | "onChange" | "children"> & {
  value: Value;
  /** Values and their names: texts of the portal, names that come as data, or texts in the chosen language. */
  options: readonly (readonly [value: Value, name: string])[];
  onChange: (value: Value) => void;
};

/** One of few. */
export function Select<const Value extends string | number>({
  value,
  options,
  onChange,
  className = "input",
  ...rest
}: SelectProps<Value>) {
  return (
    <select
      {...rest}
      className={className}
      value={value}
      onChange={({ target }) => {
        const chosen = options[target.selectedIndex];
        if (chosen) onChange(chosen[0]);
      }}
    >
      {options.map(([key, name]) => (
        <TranslatedOption key={key} value={key} text={name} />
      ))}
    </select>
  );
}
