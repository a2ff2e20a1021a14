import type { ComponentType } from "react";
import type { Row } from "./form-values.ts";

/** Custom cells of a list, by field. */
export type Cells = Readonly<Record<string, ComponentType<{ row: Row; value: unknown }>>>;
