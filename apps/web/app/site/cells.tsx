import type { ReactNode } from "react";

export interface Cell {
  key: string;
  title: ReactNode;
  text: ReactNode;
  /** Where its title leads. */
  href?: string;
}

/** Things beside each other, each a title with a sentence. */
export function Cells({ of }: { of: readonly Cell[] }) {
  return (
    <ul className="cells">
      {of.map(({ key, title, text, href }) => (
        <li key={key}>
          <h3>{href === undefined ? title : <a href={href}>{title}</a>}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}
