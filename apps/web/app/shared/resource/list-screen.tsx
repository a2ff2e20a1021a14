import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { MenuAction } from "../kit/menu.tsx";
import { Crumbs } from "../lists/crumbs.tsx";
import type { Cells } from "./cells.ts";
import type { Row } from "./form-values.ts";
import { List, ListHead, type MainAction } from "./list.tsx";
import { NothingYet } from "./list-states.tsx";
import styles from "./resource-screen.module.css";
import type { UsedList } from "./use-list.ts";
import type { ViewCounts } from "./views-bar.tsx";

interface ListProps {
  list: UsedList;
  /** Custom cells, by field. */
  cells?: Cells;
  /** Custom display of the rows instead of a table. */
  rows?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** Called when a row is pressed. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Address of the page of a row, which opens when the row is pressed. */
  linkOf?: ((row: Row) => string) | undefined;
  /** Whether rows can be selected. */
  choosable?: boolean;
  /** Actions of a row. */
  actions?: ((row: Row) => readonly MenuAction[]) | undefined;
  /** Chinese text for an empty list that tells how rows get there. */
  nothing?: string;
  /** Additional controls beside the conditions. */
  tools?: ReactNode;
  /** Actions on selected rows. */
  bulk?: ReactNode;
  /** Numbers of rows by view that the screen knows; the list counts them where it is left out. */
  counts?: ViewCounts | undefined;
  /** The screen has its own way to choose what is shown, in place of the tabs. */
  untabbed?: boolean;
}

const noCells: Cells = {};

/** A list as a part of another screen. */
export function ListPart({
  list,
  cells = noCells,
  rows,
  linkOf,
  onOpen,
  choosable = false,
  actions,
  nothing,
  tools,
  bulk,
  counts,
  untabbed = false,
}: ListProps) {
  const navigate = useNavigate();
  const open = linkOf ? (row: Row) => void navigate(linkOf(row)) : onOpen;
  return (
    <div className={styles.kit}>
      <List
        list={list}
        cells={cells}
        rows={rows}
        controls={{ ...(linkOf && { linkOf }), ...(open && { open }), toggle: list.selection.toggle }}
        choosable={choosable}
        rowActions={actions}
        tools={tools}
        bulk={bulk}
        counts={counts}
        untabbed={untabbed}
        nothing={
          <NothingYet
            of={list.of}
            text={list.queue ? "新的来了会自己出现。" : nothing}
            inQueue={list.queue !== undefined}
          />
        }
      />
    </div>
  );
}

interface ListScreenProps extends ListProps {
  /** Places in the bread crumbs in place of the last one. */
  crumbs?: readonly { name: string; to?: string }[];
  main?: MainAction | false | undefined;
  /** Actions on the whole list; on a phone behind one button. */
  actionsOnAll?: readonly (MenuAction & { isDisabled?: boolean })[];
  /** A short text about the whole list. */
  note?: ReactNode;
  /** Further content beside the heading. */
  head?: ReactNode;
  /** Content between the heading and the rows. */
  children?: ReactNode;
}

/** Screen of a list without a form of the kit, with custom cells, rows, actions and content above the rows. */
export function ListScreen({ crumbs, main, actionsOnAll, note, head, children, ...part }: ListScreenProps) {
  return (
    <>
      <Crumbs {...(crumbs && { more: crumbs })} />
      <ListHead
        list={part.list}
        main={main}
        note={note}
        {...(actionsOnAll && { actions: actionsOnAll })}
        plain={part.rows !== undefined}
      >
        {head}
      </ListHead>
      {children}
      <ListPart {...part} />
    </>
  );
}
