import type { Field } from "@herdwise/contract/resource";
import type { ReactNode } from "react";
import type { FormValue, FormValues, Row } from "./form-values.ts";

/** Properties of every input of a form. */
export interface InputProps<F extends Field = Field> {
  id: string;
  name: string;
  field: F;
  value: FormValue;
  onChange: (value: FormValue) => void;
  onBlur?: () => void;
  /** Problem of the field in the chosen language. */
  problem?: string | undefined;
  /** Earlier value in the chosen language. */
  was?: ReactNode;
  /** Row of the form; undefined while one is added. */
  row: Row | undefined;
  /** Reason why the field can't be changed, in the chosen language; undefined when it can. */
  locked?: string | undefined;
}

/** Properties of what stands below a form and tells what its values would mean. */
export interface PreviewProps {
  /** Row that is edited; undefined while one is added. */
  id: string | undefined;
  /** As they are typed. */
  values: FormValues;
}

/** Additional properties of the kit's controls. */
export interface ControlProps<F extends Field = Field> extends InputProps<F> {
  /** Ids of the elements that describe the control. */
  describedBy: string;
}
