import type { ReactNode } from "react";
import { useMore } from "./use-more.ts";

interface ScrollRegionProps {
  /** Of the region, in the chosen language. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** What scrolls sideways where the page is narrower than it, also by keyboard; it fades where it goes on. */
export function ScrollRegion({ label, className = "", children }: ScrollRegionProps) {
  const more = useMore<HTMLElement>();
  return (
    <section
      ref={more}
      className={className}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      {children}
    </section>
  );
}

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

/** A table that scrolls sideways where the page is narrower than it. */
export function ScrollTable({ label, className = "", wideOnly = false, stacked = false, children }: ScrollTableProps) {
  return (
    <ScrollRegion label={label} className={`tbl-wrap ${wideOnly ? "wide-only" : ""}`}>
      <table className={`tbl ${stacked ? "stacked" : ""} ${className}`}>{children}</table>
    </ScrollRegion>
  );
}
