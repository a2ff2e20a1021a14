import { Mark } from "@tiptap/react";

/** A raised or lowered word. What is written after it stands on the line again. */
const scriptMark = (name: string, tag: "sub" | "sup") =>
  Mark.create({
    name,
    inclusive: false,
    excludes: "subscript superscript",
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });

export const scriptMarks = [scriptMark("subscript", "sub"), scriptMark("superscript", "sup")];
