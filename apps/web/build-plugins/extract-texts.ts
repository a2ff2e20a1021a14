import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const han = /\p{Script=Han}/u;
/** Never translated: the brand, and the names that languages give themselves. */
const brand = /慧牧/g;
const ownNames = new Set(["中文", "切换到中文"]);

const isText = (text: string): boolean => han.test(text.replace(brand, "")) && !ownNames.has(text);

export interface ExtractedTexts {
  /** Keys that the dictionary must hold. */
  keys: Set<string>;
  /** Chinese that can't be a key: pieces of templates and raw text in JSX. Each with file and line. */
  untranslatable: string[];
  /** The same templates as a whole, each value as `{}`; the server's are matched with patterns. */
  templates: Set<string>;
}

/** Collects every Chinese text of one source file. */
export function textsOfSource(fileName: string, source: string, into: ExtractedTexts): void {
  const file = ts.createSourceFile(
    fileName,
    source,
    ts.ScriptTarget.Latest,
    true,
    fileName.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const complain = (node: ts.Node, text: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    into.untranslatable.push(`${fileName}:${line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) && isText(node.text))
      into.keys.add(node.text);
    if (ts.isJsxText(node) && isText(node.text)) complain(node, node.text);
    if (ts.isTemplateExpression(node)) {
      const whole = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("{}");
      if (isText(whole)) into.templates.add(whole);
      for (const piece of [node.head, ...node.templateSpans.map((span) => span.literal)]) {
        if (isText(piece.text)) complain(piece, piece.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Collects the Chinese texts of a folder. @param except files to leave out, relative to it */
export function extractTexts(folder: string, except: readonly string[] = []): ExtractedTexts {
  const into: ExtractedTexts = { keys: new Set(), untranslatable: [], templates: new Set() };
  for (const name of globSync("**/*.{ts,tsx}", { cwd: folder })) {
    if (!name.includes(".test.") && !except.includes(name))
      textsOfSource(name, readFileSync(join(folder, name), "utf8"), into);
  }
  return into;
}
