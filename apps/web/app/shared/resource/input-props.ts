import type { Field } from "@herdwise/contract/resource";
import type { ReactNode } from "react";
import type { FormValue, Row } from "./form-values.ts";

/** What every input of a form gets. */
export interface InputProps<F extends Field = Field> {
  id: string;
  name: string;
  field: F;
  value: FormValue;
  onChange: (value: FormValue) => void;
  onBlur?: () => void;
  /** In the chosen language. */
  problem?: string | undefined;
  /** What it was before, in the chosen language. */
  was?: ReactNode;
  /** The row that the form is of; none while one is added. */
  row: Row | undefined;
  /** Can't be changed, and why, in the chosen language. */
  locked?: string | undefined;
}

/** What the controls of the kit get beside it. */
export interface ControlProps<F extends Field = Field> extends InputProps<F> {
  /** Ids of what describes it. */
  describedBy: string;
}
