/**
 * The kinds of field that a resource may have. A declaration is plain data: the server makes its schemas, SQL, checks and
 * sheets from it, the web its columns, filters and inputs.
 */

/** How a personal field leaves the server in a resource's rows; see `PersonalRule`. */
export type ResourcePersonalRule = "mask-phone" | "mask-email" | "mask-name" | "granted";

/** Named checks of a text, beyond its length. Each has a reason of the same name in `ruleReasons`. */
export type TextRule = "person-name" | "mobile" | "phone" | "email" | "code" | "time-ranges" | "region" | "path";

interface Common {
  /** Chinese, a key of the translations. */
  readonly label: string;
  readonly required?: boolean;
  /** Under the input, Chinese. */
  readonly hint?: string;
  /** Shown as a column of the list from the start; the others can be shown. */
  readonly column?: boolean;
  /** Offered as a condition of the list. */
  readonly filter?: boolean;
  /** May be sorted by. */
  readonly sort?: boolean;
  /** Written when a row is added and never changed again. */
  readonly fixed?: boolean;
  /** Section of the form that it stands in, Chinese; fields of one section stand together. */
  readonly section?: string;
  /** Names of the two ends of a range of days, where the page operation calls them otherwise. */
  readonly ends?: readonly [from: string, to: string];
  /** Worked out by the resource's view: shown, filtered, sorted and exported like any other, and never written. */
  readonly derived?: true;
}

export interface TextField extends Common {
  readonly kind: "text";
  readonly min?: number;
  /** Characters, not bytes. */
  readonly max: number;
  readonly rule?: TextRule;
  /** Which rows may not have the same text: of the scope, or of the same parent (trees). Case counts, but not in a text with the rule `code`. */
  readonly unique?: "scope" | "siblings";
  /** Words typed above the list are looked for in it. */
  readonly search?: boolean;
  /** Several lines. */
  readonly lines?: number;
  readonly default?: string;
  readonly personal?: ResourcePersonalRule;
  /** AES-GCM in the column `<name>_encrypted`, with a keyed index in `<name>_index`; only exact look-up. */
  readonly stored?: "encrypted";
}

export interface NumberField extends Common {
  readonly kind: "number";
  /** Bounds of the stored integer. */
  readonly min: number;
  readonly max: number;
  /** Digits behind the point that people see: 2 shows the integer 1234 as 12.34. */
  readonly decimals?: number;
  readonly unit?: string;
  readonly default?: number;
}

export interface ChoiceField extends Common {
  readonly kind: "choice";
  /** Value and Chinese name, in order. Either these or a dictionary. */
  readonly options?: readonly (readonly [value: string, name: string])[];
  /** Code of a dictionary whose keys are the values. */
  readonly dictionary?: string;
  readonly default?: string;
  /** A list is narrowed to one value at a time. */
  readonly single?: true;
}

/** Several values out of a list, stored as text[]. */
export interface ChoicesField extends Common {
  readonly kind: "choices";
  readonly options?: readonly (readonly [value: string, name: string])[];
  readonly dictionary?: string;
  /** Most values at once. */
  readonly max: number;
}

/** A row of another resource of the same tenant, by its id; the row on the wire also carries its name, see `referenceNameOf`. */
export interface ReferenceField extends Common {
  readonly kind: "reference";
  /** Name of the other resource; its `title` field is shown. */
  readonly to: string;
}

export interface DateField extends Common {
  readonly kind: "date";
}

/** A moment, which only a view can give. */
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

/** A text. @param options `max` in characters is required */
export const text = <const O extends Options<TextField>>(label: string, options: O) =>
  ({ kind: "text", label, ...options }) as const;
/** An integer in the smallest unit. */
export const number = <const O extends Options<NumberField>>(label: string, options: O) =>
  ({ kind: "number", label, ...options }) as const;
/** One of few. */
export const choice = <const O extends Options<ChoiceField>>(label: string, options: O) =>
  ({ kind: "choice", label, ...options }) as const;
/** Some of few. */
export const choices = <const O extends Options<ChoicesField>>(label: string, options: O) =>
  ({ kind: "choices", label, ...options }) as const;
/** A row of another resource. */
export const reference = <const O extends Options<ReferenceField>>(label: string, options: O) =>
  ({ kind: "reference", label, ...options }) as const;
/** A day, `yyyy-MM-dd`. */
export const date = <const O extends Options<DateField>>(label: string, options: O) =>
  ({ kind: "date", label, ...options }) as const;
/** A moment that the resource's view works out. */
export const moment = <const O extends Omit<Options<MomentField>, "derived">>(label: string, options: O) =>
  ({ kind: "moment", label, derived: true, ...options }) as const;
/** On or off. */
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
