import type { ListDeclaration } from "@herdwise/contract/resource";
import type { ReactNode } from "react";
import type { MenuAction } from "../kit/menu.tsx";
import { Crumbs } from "../lists/crumbs.tsx";
import type { Cells } from "./cells.ts";
import type { Row } from "./form-values.ts";
import { List, ListHead } from "./list.tsx";
import { NothingYet } from "./list-states.tsx";
import styles from "./resource-screen.module.css";
import { type UsedList, useList } from "./use-list.ts";

interface ListProps {
  of: ListDeclaration;
  /** Own cells, by field. */
  cells?: Cells;
  /** What follows when a row is pressed. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Actions of a row. */
  actions?: ((row: Row) => readonly MenuAction[]) | undefined;
  /** Chinese: when rows will come, where there are none. */
  nothing?: string;
  /** More beside the conditions. */
  tools?: (list: UsedList) => ReactNode;
}

const noCells: Cells = {};

function Rows({ list, cells = noCells, onOpen, actions, nothing, tools }: Omit<ListProps, "of"> & { list: UsedList }) {
  return (
    <div className={styles.kit}>
      <List
        list={list}
        cells={cells}
        {...(onOpen && { controls: { open: onOpen } })}
        rowActions={actions}
        tools={tools?.(list)}
        nothing={<NothingYet of={list.of} text={nothing} />}
      />
    </div>
  );
}

/** A list within a screen of its own. */
export function ListPart({ of, ...rows }: ListProps) {
  return <Rows list={useList(of)} {...rows} />;
}

interface ListScreenProps extends ListProps {
  /** Buttons beside the heading. */
  head?: ReactNode;
  /** Between the heading and the rows. */
  children?: ReactNode;
}

/** The screen of a list that has no form of the kit: what is special are its cells, its actions and what stands above. */
export function ListScreen({ of, head, children, ...rows }: ListScreenProps) {
  const list = useList(of);
  return (
    <>
      <Crumbs />
      <ListHead list={list}>{head}</ListHead>
      {children}
      <Rows list={list} {...rows} />
    </>
  );
}
