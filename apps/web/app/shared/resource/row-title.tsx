import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Row } from "./form-values.ts";
import { useListControls } from "./list-controls.ts";

interface RowTitleProps {
  row: Row;
  tabIndex: number;
  /** Class of the link or button. */
  pressable: string | undefined;
  /** Class of the text, where a row does not open. */
  plain: string | undefined;
  children: ReactNode;
}

/** Name of a row: a link to its page, a button that opens it, or plain text. */
export function RowTitle({ row, tabIndex, pressable, plain, children }: RowTitleProps) {
  const { linkOf, open } = useListControls();
  if (linkOf)
    return (
      <Link className={pressable} tabIndex={tabIndex} to={linkOf(row)}>
        {children}
      </Link>
    );
  if (open)
    return (
      <button type="button" className={pressable} tabIndex={tabIndex} onClick={() => open(row)}>
        {children}
      </button>
    );
  return <span className={plain}>{children}</span>;
}
