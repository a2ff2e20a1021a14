import type { ReactNode } from "react";
import { stationViewBox } from "./flow-drawing.ts";
import { tied } from "./tied.ts";

export interface Cell {
  key: string;
  title: ReactNode;
  text: ReactNode;
  /** Where its title leads. */
  href?: string;
  /** Drawing above it, as SVG content for the view box of one station. */
  drawing?: string;
}

const tiedText = (node: ReactNode): ReactNode => (typeof node === "string" ? tied(node) : node);

/** Things beside each other, each a title with a sentence. */
export function Cells({ of }: { of: readonly Cell[] }) {
  return (
    <ul className="cells">
      {of.map(({ key, title, text, href, drawing }) => (
        <li key={key}>
          {drawing !== undefined && (
            <svg viewBox={stationViewBox} aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawing }} />
          )}
          <h3>{href === undefined ? tiedText(title) : <a href={href}>{tiedText(title)}</a>}</h3>
          <p>{tiedText(text)}</p>
        </li>
      ))}
    </ul>
  );
}
