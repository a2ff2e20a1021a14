/** An element of markup that React wrote. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);

const isVoid = (tag: string): boolean => /^(area|br|col|hr|img|input|link|meta|wbr)$/.test(tag);

/** Elements of markup as React renders it, in one root. */
export function parsed(html: string): Element {
  const root: Element = { tag: "", attributes: {}, children: [] };
  const open = [root];
  for (const [, text, close, tag = "", attributes = "", alone] of html.matchAll(
    /([^<]+)|<(\/)?([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/)?>/g,
  )) {
    const into = open.at(-1) ?? root;
    if (text !== undefined) into.children.push(decoded(text));
    else if (close) open.pop();
    else {
      const pairs = [...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)];
      const made: Element = {
        tag,
        attributes: Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decoded(value)])),
        children: [],
      };
      into.children.push(made);
      if (!alone && !isVoid(tag)) open.push(made);
    }
  }
  return root;
}

/** Text of an element without that of its pictures' titles. */
export const textOf = (of: Element): string =>
  of.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");

/** Text of an element with a space between its parts, as they stand apart on a page. */
export const spacedTextOf = (of: Element): string =>
  of.children.map((child) => (typeof child === "string" ? child : ` ${spacedTextOf(child)} `)).join("");

export const classesOf = ({ attributes }: Element): string[] => (attributes.class ?? "").split(" ");

/** All elements below one that fit, in their order. */
export const within = (of: Element, fits: (element: Element) => boolean): Element[] =>
  of.children.flatMap((child) =>
    typeof child === "string" ? [] : [...(fits(child) ? [child] : []), ...within(child, fits)],
  );

export const withClass =
  (name: string) =>
  (element: Element): boolean =>
    classesOf(element).includes(name);
