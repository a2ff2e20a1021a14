import { type HTMLInputAutoCompleteAttribute, type ReactNode, type Ref, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Problem } from "./problem.tsx";
import { Select } from "./select.tsx";

export interface FieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** In the chosen language. */
  problem?: string | undefined;
  /** Another place that describes the field. */
  describedBy?: string;
  autoComplete: HTMLInputAutoCompleteAttribute;
  inputRef?: Ref<HTMLInputElement>;
  /** Beside the label, for example the way to a forgotten password. */
  aside?: ReactNode;
  /** Under the field while nothing is wrong. */
  hint?: ReactNode;
  onBlur?: () => void;
  disabled?: boolean;
  required?: boolean;
}

interface TextFieldProps extends FieldProps {
  inputMode?: "text" | "tel" | "numeric";
  maxLength?: number;
  type?: "text" | "date";
  /** Behind the input, in its row. */
  button?: ReactNode;
}

/** The label of a field, with its mark where something must be entered. */
export function Label({ id, label, aside, required }: Pick<FieldProps, "id" | "label" | "aside" | "required">) {
  return (
    <div className="f-head">
      <label htmlFor={id}>
        {label}
        {required && (
          <i className="must" aria-hidden="true">
            *
          </i>
        )}
      </label>
      {aside}
    </div>
  );
}

const describers = (...ids: readonly (string | undefined)[]): string => ids.filter(Boolean).join(" ");

/** A line of text with its label and what is wrong with it. */
export function TextField({ inputMode, maxLength, type, button, ...props }: TextFieldProps) {
  const { id, value, onChange, problem } = props;
  return (
    <div className="form-field">
      <Label {...props} />
      <div className={button ? "f-row" : undefined}>
        <input
          ref={props.inputRef}
          className="input"
          id={id}
          name={id}
          type={type}
          inputMode={inputMode}
          disabled={props.disabled}
          aria-required={props.required}
          maxLength={maxLength}
          autoComplete={props.autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={props.onBlur}
          aria-invalid={problem !== undefined}
          aria-describedby={describers(`${id}-problem`, props.hint ? `${id}-hint` : undefined, props.describedBy)}
        />
        {button}
      </div>
      {props.hint && problem === undefined && (
        <p className="f-hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

/** A password, which can be shown. */
export function PasswordField(props: FieldProps) {
  const t = useTranslate();
  const { id, value, onChange, problem } = props;
  const [visible, setVisible] = useState(false);
  return (
    <div className="form-field">
      <Label {...props} />
      <div className="password-row">
        <input
          ref={props.inputRef}
          className="input"
          id={id}
          name={id}
          type={visible ? "text" : "password"}
          autoComplete={props.autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={props.onBlur}
          aria-invalid={problem !== undefined}
          aria-describedby={describers(`${id}-problem`, props.hint ? `${id}-hint` : undefined, props.describedBy)}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={visible ? t("隐藏密码") : t("显示密码")}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          <Icon name={visible ? "eye-off" : "eye"} />
        </button>
      </div>
      {props.hint && problem === undefined && (
        <div className="f-hint" id={`${id}-hint`}>
          {props.hint}
        </div>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

interface SelectFieldProps
  extends Pick<FieldProps, "id" | "label" | "value" | "onChange" | "problem" | "hint" | "disabled" | "required"> {
  options: readonly (readonly [string, string])[];
}

/** One of few, with its label. */
export function SelectField({ options, ...props }: SelectFieldProps) {
  const { id, value, onChange, problem } = props;
  return (
    <div className="form-field">
      <Label {...props} />
      <Select
        id={id}
        name={id}
        value={value}
        options={options}
        disabled={props.disabled}
        onChange={onChange}
        aria-invalid={problem !== undefined}
        aria-describedby={describers(`${id}-problem`, props.hint ? `${id}-hint` : undefined)}
      />
      {props.hint && problem === undefined && (
        <p className="f-hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}
