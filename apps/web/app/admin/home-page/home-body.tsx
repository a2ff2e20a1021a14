import { isEmptyBody } from "@herdwise/contract/article-blocks";
import { useState } from "react";
import { BodyField, PastedNote } from "../rich-text/body-field.tsx";
import type { PastedBody } from "../rich-text/paste.ts";
import type { RichTextProps } from "../rich-text/rich-text.tsx";
import styles from "./home-page.module.css";

/** An editor writes an empty paragraph where nothing is written. */
const written = (html: string): string => (isEmptyBody(html) ? "" : html);

/** A section's body with content blocks in one language. A value that comes from elsewhere, as a translation does, begins the editor anew. */
export function HomeBody({
  value,
  onChange,
  ...props
}: Pick<RichTextProps, "id" | "label" | "lang" | "readOnly" | "problem" | "linkProblems" | "onChange"> & {
  value: string;
}) {
  const [held, setHeld] = useState({ html: value, begun: 0 });
  const [pasted, setPasted] = useState<PastedBody>();
  if (value !== held.html) setHeld({ html: value, begun: held.begun + 1 });
  return (
    <>
      <div className={styles.body}>
        <BodyField
          key={held.begun}
          {...props}
          initial={value}
          onChange={(html) => {
            setHeld((before) => ({ ...before, html: written(html) }));
            onChange(written(html));
          }}
          onPasted={setPasted}
        />
      </div>
      {pasted && <PastedNote pasted={pasted} takesPictures={false} />}
    </>
  );
}
