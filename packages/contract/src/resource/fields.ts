/**
 * Kinds of fields of a resource, declared as plain data: the server derives schemas, SQL, checks and sheets from them, the web
 * columns, filters and inputs.
 */

/** How a personal field in a resource's rows leaves the server; see `PersonalRule`. */
export type ResourcePersonalRule = "mask-phone" | "mask-email" | "mask-name" | "granted";

/** Named checks of a text in addition to its length; each has its reason in `ruleReasons`. `date-time` is `YYYY-MM-DD HH:mm`; `login-name` ignores case; `link` is a path or a web address; `web-address` begins with http or https. */
export type TextRule =
  | "person-name"
  | "mobile"
  | "phone"
  | "email"
  | "code"
  | "login-name"
  | "time-ranges"
  | "date-time"
  | "region"
  | "path"
  | "link"
  | "web-address";

interface Common {
  /** Chinese, a key of the translations. */
  readonly label: string;
  readonly required?: boolean;
  /** Hint under the input, Chinese. */
  readonly hint?: string;
  /** Shown as a column by default; other fields can be added by the reader. */
  readonly column?: boolean;
  /** Offered as a condition of the list. */
  readonly filter?: boolean;
  /** The list can be sorted by it. */
  readonly sort?: boolean;
  /** Set when a row is added and never changed again. */
  readonly fixed?: boolean;
  /** Section of the form, Chinese; fields of one section must be adjacent. */
  readonly section?: string;
  /** Names of the two parameters of a range of days, where the page operation names them otherwise. */
  readonly ends?: readonly [from: string, to: string];
  /** Computed by the resource's view: shown, filtered, sorted and exported like any other field, but never written. */
  readonly derived?: true;
}

export interface TextField extends Common {
  readonly kind: "text";
  readonly min?: number;
  /** Maximum length in characters, not bytes. */
  readonly max: number;
  readonly rule?: TextRule;
  /**
   * Rows among which the text must be unique: the scope's, or those of the same parent (trees). Upper and lower case differ,
   * except in a text with the rule `code` or `login-name`.
   */
  readonly unique?: "scope" | "siblings";
  /** The keyword above the list is searched in it. */
  readonly search?: boolean;
  /** Number of lines of its input. */
  readonly lines?: number;
  readonly default?: string;
  readonly personal?: ResourcePersonalRule;
  /**
   * Stored with AES-GCM in the column `<name>_encrypted`, with a keyed index in `<name>_index`; it can only be found by its
   * exact value.
   */
  readonly stored?: "encrypted";
  /** Written by somebody outside, such as a bank: shown as it is in every language, and marked as Chinese. */
  readonly verbatim?: true;
}

export interface NumberField extends Common {
  readonly kind: "number";
  /** Bounds of the stored integer. */
  readonly min: number;
  readonly max: number;
  /** Decimals that people see: with 2 the integer 1234 is shown as 12.34. */
  readonly decimals?: number;
  readonly unit?: string;
  readonly default?: number;
}

export interface ChoiceField extends Common {
  readonly kind: "choice";
  /** Values and their Chinese names, in order; either these or `dictionary`. */
  readonly options?: readonly (readonly [value: string, name: string])[];
  /** Code of a dictionary whose keys are the values. */
  readonly dictionary?: string;
  readonly default?: string;
  /** A condition of the list takes one value at a time. */
  readonly single?: true;
}

/** Several values of a list, stored as text[]. */
export interface ChoicesField extends Common {
  readonly kind: "choices";
  readonly options?: readonly (readonly [value: string, name: string])[];
  readonly dictionary?: string;
  /** Most values at once. */
  readonly max: number;
}

/** The id of a row of another resource in the same tenant; the row on the wire also has its name, see `referenceNameOf`. */
export interface ReferenceField extends Common {
  readonly kind: "reference";
  /** Name of the other resource; its `title` field is shown. */
  readonly to: string;
}

export interface DateField extends Common {
  readonly kind: "date";
}

/** A point in time, which only a view can provide. */
export interface MomentField extends Common {
  readonly kind: "moment";
  readonly derived: true;
}

export interface SwitchField extends Common {
  readonly kind: "switch";
  readonly default?: boolean;
}

export type Field =
  | TextField
  | NumberField
  | ChoiceField
  | ChoicesField
  | ReferenceField
  | DateField
  | MomentField
  | SwitchField;

type Options<F extends Field> = Omit<F, "kind" | "label">;

/**
 * A text.
 * @param options `max` in characters is required
 */
export const text = <const O extends Options<TextField>>(label: string, options: O) =>
  ({ kind: "text", label, ...options }) as const;
/** An integer in the smallest unit. */
export const number = <const O extends Options<NumberField>>(label: string, options: O) =>
  ({ kind: "number", label, ...options }) as const;
/** One of a few values. */
export const choice = <const O extends Options<ChoiceField>>(label: string, options: O) =>
  ({ kind: "choice", label, ...options }) as const;
/** Several of a few values. */
export const choices = <const O extends Options<ChoicesField>>(label: string, options: O) =>
  ({ kind: "choices", label, ...options }) as const;
/** A reference to a row of another resource. */
export const reference = <const O extends Options<ReferenceField>>(label: string, options: O) =>
  ({ kind: "reference", label, ...options }) as const;
/** A day, `yyyy-MM-dd`. */
export const date = <const O extends Options<DateField>>(label: string, options: O) =>
  ({ kind: "date", label, ...options }) as const;
/** A point in time that the resource's view computes. */
export const moment = <const O extends Omit<Options<MomentField>, "derived">>(label: string, options: O) =>
  ({ kind: "moment", label, derived: true, ...options }) as const;
/** A boolean. */
export const onOff = <const O extends Options<SwitchField>>(label: string, options: O) =>
  ({ kind: "switch", label, ...options }) as const;

/** Value of a field on the wire. */
export type ValueOf<F extends Field> = F extends { kind: "number" }
  ? number | undefined
  : F extends { kind: "choices" }
    ? string[]
    : F extends { kind: "switch" }
      ? boolean
      : string;
