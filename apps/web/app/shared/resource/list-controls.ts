import { createContext, useContext } from "react";
import type { Row } from "./form-values.ts";

/** Actions on a row; the same object for the lifetime of the list, so that rows are not rendered again. */
export interface ListControls {
  open?: (row: Row, tab?: "form" | "history") => void;
  /** Address of the page of a row, for rows that have one; `open` goes there, too. */
  linkOf?: (row: Row) => string;
  copy?: (row: Row) => void;
  toggle?: (id: string) => void;
  remove?: (row: Row) => void;
  /** Opens the menu of a row. */
  menu?: (row: Row, button: HTMLElement) => void;
}

export const ListControlsContext = createContext<ListControls | undefined>(undefined);

export function useListControls(): ListControls {
  const controls = useContext(ListControlsContext);
  if (!controls) throw new Error("ListControlsContext is missing above this component");
  return controls;
}
