import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../shared/icons/icon.tsx";

/** The end of a task: what was done, and the way on. */
export function Done({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="done" role="status">
      <span className="done-mark">
        <Icon name="check" />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
