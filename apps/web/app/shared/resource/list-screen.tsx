import type { ReactNode } from "react";
import type { MenuAction } from "../kit/menu.tsx";
import { Crumbs } from "../lists/crumbs.tsx";
import type { Cells } from "./cells.ts";
import type { Row } from "./form-values.ts";
import { List, ListHead } from "./list.tsx";
import { NothingYet } from "./list-states.tsx";
import styles from "./resource-screen.module.css";
import type { UsedList } from "./use-list.ts";

interface ListProps {
  list: UsedList;
  /** Own cells, by field. */
  cells?: Cells;
  /** Own rows, where a table says less. */
  rows?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** What follows when a row is pressed. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Actions of a row. */
  actions?: ((row: Row) => readonly MenuAction[]) | undefined;
  /** Chinese: when rows will come, where there are none. */
  nothing?: string;
  /** More beside the conditions. */
  tools?: ReactNode;
  /** Where rows are chosen: what can be done with them. */
  bulk?: ReactNode;
}

const noCells: Cells = {};

/** A list within a screen of its own. */
export function ListPart({ list, cells = noCells, rows, onOpen, actions, nothing, tools, bulk }: ListProps) {
  return (
    <div className={styles.kit}>
      <List
        list={list}
        cells={cells}
        rows={rows}
        {...(onOpen && { controls: { open: onOpen } })}
        rowActions={actions}
        tools={tools}
        bulk={bulk}
        nothing={<NothingYet of={list.of} text={nothing} />}
      />
    </div>
  );
}

interface ListScreenProps extends ListProps {
  /** Buttons beside the heading. */
  head?: ReactNode;
  /** Between the heading and the rows. */
  children?: ReactNode;
}

/** The screen of a list that has no form of the kit: what is special are its cells or rows, its actions and what stands above. */
export function ListScreen({ head, children, ...part }: ListScreenProps) {
  return (
    <>
      <Crumbs />
      <ListHead list={part.list} plain={part.rows !== undefined}>
        {head}
      </ListHead>
      {children}
      <ListPart {...part} />
    </>
  );
}
