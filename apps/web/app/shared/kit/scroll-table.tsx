import type { ReactNode } from "react";
import { useMore } from "./use-more.ts";

interface ScrollTableProps {
  /** Of the region that scrolls, in the chosen language. */
  label: string;
  /** Of the table. */
  className?: string | undefined;
  /** Cards stand in its place on a phone. */
  wideOnly?: boolean;
  /** On a phone each row is a block of lines; cells have the name of their column in `data-name`. */
  stacked?: boolean;
  /** Head and body of the table. */
  children: ReactNode;
}

/** A table that scrolls sideways where the page is narrower than it, also by keyboard. */
export function ScrollTable({ label, className = "", wideOnly = false, stacked = false, children }: ScrollTableProps) {
  const more = useMore<HTMLElement>();
  return (
    <section
      ref={more}
      className={`tbl-wrap ${wideOnly ? "wide-only" : ""}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={`tbl ${stacked ? "stacked" : ""} ${className}`}>{children}</table>
    </section>
  );
}
