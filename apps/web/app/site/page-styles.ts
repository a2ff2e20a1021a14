import { readFileSync } from "node:fs";
import postcss, { type AtRule, type Container, type Root, type Rule } from "postcss";

/** Which class names a selector asks for beyond doubt: those in brackets, as of :not() and :is(), may be absent. */
const classesOf = (selector: string): string[] =>
  Array.from(
    selector.replaceAll(/\([^()]*(\([^()]*\)[^()]*)*\)/g, "").matchAll(/\.(-?[_a-zA-Z][\w-]*)/g),
    ([, name = ""]) => name,
  );

/** Whether a rule can apply to a page with these classes; what else its selectors ask for is left to the browser. */
const mayApply = (rule: Rule, present: ReadonlySet<string>): boolean =>
  rule.selectors.some((selector) => classesOf(selector).every((name) => present.has(name)));

/** Takes away what can't apply, innermost first, and the conditions around it that are left empty. */
function prune(container: Container, present: ReadonlySet<string>): void {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type === "rule" && !mayApply(node as Rule, present)) node.remove();
    else if (node.type === "atrule" && (node as AtRule).name !== "keyframes" && (node as AtRule).nodes) {
      prune(node as AtRule, present);
      if ((node as AtRule).nodes?.length === 0) node.remove();
    }
  }
}

/** Animations that no rule names any more. */
function dropUnusedAnimations(root: Root): void {
  const named = new Set<string>();
  root.walkDecls(/^animation/, ({ value }) => {
    for (const word of value.match(/[\w-]+/g) ?? []) named.add(word);
  });
  root.walkAtRules("keyframes", (rule) => {
    if (!named.has(rule.params)) rule.remove();
  });
}

const stylesheetLink = /<link(?: nonce="[^"]*")? rel="stylesheet" href="(\/assets\/[\w-]+\.css)#?"\/>/g;
/** Pages differ in few sets of classes; a page whose set is new costs some milliseconds. */
const mostKept = 200;

/**
 * Puts those rules of a page's style sheets that may apply to it into the page itself, so that its first paint waits for no other file.
 * The page must be complete: a class that a script adds later has no rules.
 * @param clientFolder where the built files are, for the browser
 */
export function createPageStyles(clientFolder: URL): (html: string) => string {
  const sheets = new Map<string, Root>();
  const kept = new Map<string, string>();
  const sheetOf = (path: string): Root => {
    const known = sheets.get(path);
    if (known) return known;
    const sheet = postcss.parse(readFileSync(new URL(`.${path}`, clientFolder), "utf8"));
    sheets.set(path, sheet);
    return sheet;
  };
  return (html) => {
    const paths = Array.from(html.matchAll(stylesheetLink), ([, path = ""]) => path);
    if (paths.length === 0) return html;
    const present = new Set(
      Array.from(html.matchAll(/ class="([^"]*)"/g), ([, names = ""]) => names.split(/\s+/)).flat(),
    );
    const key = [...paths, ...[...present].sort()].join(" ");
    let styles = kept.get(key);
    if (styles === undefined) {
      const root = postcss.root();
      for (const path of paths) root.append(sheetOf(path).clone().nodes);
      prune(root, present);
      dropUnusedAnimations(root);
      styles = root.toString();
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
      kept.set(key, styles);
    }
    let isFirst = true;
    return html.replaceAll(stylesheetLink, () => {
      if (!isFirst) return "";
      isFirst = false;
      return `<style>${styles}</style>`;
    });
  };
}
