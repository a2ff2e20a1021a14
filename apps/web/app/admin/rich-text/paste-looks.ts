/** What a look of pasted markup means: bold, slanted, underlined, struck out, raised or lowered. */
interface Look {
  bold?: boolean;
  slanted?: boolean;
  underlined?: boolean;
  struck?: boolean;
  script?: "sub" | "sup" | "none";
}

interface Open extends Look {
  name: string;
  /** Elements around that say the same as a look. */
  said: ReadonlySet<string>;
  /** Says the opposite of what its style does, so that its tags are left out. */
  dropped: boolean;
}

const tokens = /<(\/?)([a-z][a-z0-9]*)\b((?:"[^"]*"|'[^']*'|[^'">])*)>|[^<]+|</gi;
const withoutEnd = new Set(["br", "img", "hr", "col", "input", "meta", "link", "wbr"]);
/** One of them ends the one before it. */
const endsItsLike = new Set(["p", "li", "td", "th", "tr"]);
const saysSame: Readonly<Record<string, string>> = {
  b: "strong",
  i: "em",
  ins: "u",
  del: "s",
  strike: "s",
  // Bold by themselves; links are underlined by themselves.
  h1: "strong",
  h2: "strong",
  h3: "strong",
  h4: "strong",
  h5: "strong",
  h6: "strong",
  th: "strong",
  a: "u",
};

const attributeOf = (attributes: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i")
    .exec(attributes)
    ?.slice(1)
    .find(Boolean) ?? "";

function lookOf(declarations: string): Look {
  const look: Look = {};
  for (const declaration of declarations.split(";")) {
    const [property = "", value = ""] = declaration
      .toLowerCase()
      .split(":")
      .map((part) => part.trim());
    if (property === "font-weight") look.bold = /^(?:bold|bolder|[6-9]00)\b/.test(value);
    else if (property === "font-style") look.slanted = /^(?:italic|oblique)/.test(value);
    else if (property === "text-decoration" || property === "text-decoration-line") {
      if (value.includes("underline")) look.underlined = true;
      if (value.includes("line-through")) look.struck = true;
    } else if (property === "vertical-align")
      look.script = value.startsWith("super") ? "sup" : value.startsWith("sub") ? "sub" : "none";
  }
  return look;
}

/** Looks of classes, as sheets write them beside their cells. */
function looksOfClasses(html: string): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  for (const [, sheet = ""] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi))
    for (const [, selectors = "", declarations = ""] of sheet
      .replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, "")
      .matchAll(/([^{}]+)\{([^{}]*)\}/g))
      for (const selector of selectors.split(",")) {
        const [, name] = /^\s*[a-z0-9]*\.([\w-]+)\s*$/i.exec(selector) ?? [];
        if (name !== undefined) looks.set(name, { ...looks.get(name), ...lookOf(declarations) });
      }
  return looks;
}

const isBlank = (text: string): boolean => /^(?:\s|&nbsp;)*$/.test(text);

/**
 * Writes as elements what pasted markup says by styles and classes, as Word, WPS and sheets do, so that taking the looks out
 * changes no meaning: 10 with a raised 6 is another figure than 106.
 */
export function looksAsElements(html: string): string {
  const classes = looksOfClasses(html);
  const open: Open[] = [];
  return html
    .replace(/<style\b[\s\S]*?<\/style>/gi, "")
    .replace(tokens, (token, end = "", tag = "", attributes = "") => {
      const name = String(tag).toLowerCase();
      const around = open.at(-1);
      if (name === "") return isBlank(token) || around === undefined ? token : marked(token, around);
      if (end === "/") {
        const at = open.findLastIndex((one) => one.name === name);
        const dropped = open[at]?.dropped === true;
        if (at >= 0) open.splice(at);
        return dropped ? "" : token;
      }
      if (withoutEnd.has(name) || attributes.endsWith("/")) return token;
      if (endsItsLike.has(name) && around?.name === name) open.pop();
      const { script, ...own } = Object.assign(
        {},
        ...attributeOf(attributes, "class")
          .split(/\s+/)
          .map((one) => classes.get(one)),
        lookOf(attributeOf(attributes, "style")),
      ) as Look;
      const dropped = (name === "b" || name === "strong") && own.bold === false;
      const outer = open.at(-1);
      open.push({
        ...outer,
        ...own,
        // Where a cell stands says nothing of its words.
        ...(script !== undefined && name !== "td" && name !== "th" && { script }),
        name,
        said: dropped ? (outer?.said ?? new Set()) : new Set([...(outer?.said ?? []), saysSame[name] ?? name]),
        dropped,
      });
      return dropped ? "" : token;
    });
}

function marked(text: string, { bold, slanted, underlined, struck, script, said }: Open): string {
  const elements = [bold && "strong", slanted && "em", underlined && "u", struck && "s"].filter(
    (one): one is string => typeof one === "string" && !said.has(one),
  );
  if (script !== undefined && script !== "none" && !said.has("sub") && !said.has("sup")) elements.push(script);
  return elements.reduceRight((inner, element) => `<${element}>${inner}</${element}>`, text);
}
