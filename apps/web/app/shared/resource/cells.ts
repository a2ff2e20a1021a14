import type { ComponentType } from "react";
import type { Row } from "./form-values.ts";

/** Custom cells of a list, by field; `acts` are the buttons of a row, which stand at its end. */
export type Cells = Readonly<Record<string, ComponentType<{ row: Row; value: unknown }>>>;
