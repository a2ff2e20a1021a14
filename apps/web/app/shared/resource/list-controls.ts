import { createContext, useContext } from "react";
import type { Row } from "./form-values.ts";

/** What can be done with a row of a list, the same object as long as the list stands. */
export interface ListControls {
  open?: (row: Row, tab?: "form" | "history") => void;
  copy?: (row: Row) => void;
  toggle?: (id: string) => void;
  remove?: (row: Row) => void;
  /** Opens the actions of a row. */
  menu?: (row: Row, button: HTMLElement) => void;
}

export const ListControlsContext = createContext<ListControls | undefined>(undefined);

export function useListControls(): ListControls {
  const controls = useContext(ListControlsContext);
  if (!controls) throw new Error("ListControlsContext is missing above this component");
  return controls;
}
