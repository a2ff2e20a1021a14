// Which functions of repositories reach rows of customers without being told whose. Run by `npm run check`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const scopeTypes = new Set(["TenantScope", "MemberScope", "AccountScope", "SystemScope"]);

/** Functions that need no scope though they read such a table, by `file function`, and why. */
const allowed: Readonly<Record<string, string>> = {
  "import.repository.ts holdStatistics": "locks tables whole and reads no row",
  "import.repository.ts takeStatistics": "lets the database count tables whole and reads no row",
  "user-sheet.repository.ts rows":
    "the rows that the sheet kit knows, of which each function takes a scope; the tables of places are named in its code",
  "row.repository.ts nextNumber":
    "the numbers of a day or a year are of all tenants, and say nothing of whose they are",
  "user.repository.ts isTaken": "login names are unique over all tenants: a yes or no, and not whose it is",
};

/** Who makes scopes of sessions: the router, and jobs from what the router gave them. */
const tenantScopeMakers = new Set([
  "http/access.ts",
  "resources/export.service.ts",
  "resources/job-scope.ts",
  "tenant-scope.ts",
]);
/** Where work without a session can't begin: routes have a session, and repositories are given their scope. */
const systemScopeRefusers = /\.(repository|routes)\.ts$|^http\//;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);

function visit(node: ts.Node, take: (node: ts.Node) => void): void {
  take(node);
  ts.forEachChild(node, (child) => visit(child, take));
}

/**
 * Tables with rows of customers, in camelCase: with a tenant or an account, or with the id of a row of such a table (a
 * session's tokens, a device's telemetry).
 */
function customersTables(generated: ts.SourceFile): Set<string> {
  const columns = new Map<string, string[]>();
  const rowTypes = new Map<string, string>();
  for (const statement of generated.statements) {
    if (!ts.isInterfaceDeclaration(statement)) continue;
    const members = statement.members.filter(ts.isPropertySignature);
    if (statement.name.text !== "DB")
      columns.set(
        statement.name.text,
        members.map(({ name }) => name.getText()),
      );
    else for (const { name, type } of members) rowTypes.set(name.getText(), type?.getText() ?? "");
  }
  const found = new Set(["accounts"]);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [table, rowType] of rowTypes) {
      const belongs = (columns.get(rowType) ?? []).some(
        (column) => column === "tenantId" || (column.endsWith("Id") && found.has(`${column.slice(0, -2)}s`)),
      );
      if (belongs) found.add(table);
    }
  }
  return found;
}

const isScope = (type: ts.TypeNode | undefined): boolean => {
  if (type === undefined) return false;
  if (ts.isUnionTypeNode(type)) return type.types.every(isScope);
  return ts.isTypeReferenceNode(type) && scopeTypes.has(type.typeName.getText());
};

type Callable = ts.FunctionLikeDeclaration;
const isCallable = (node: ts.Node | undefined): node is Callable =>
  node !== undefined &&
  (ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isFunctionDeclaration(node));

/** Whether a function must be given a scope, and looks at it. */
function takesScope({ parameters, body }: Callable): boolean {
  return parameters.some(({ name, type, questionToken, initializer }) => {
    if (!isScope(type) || questionToken !== undefined || initializer !== undefined) return false;
    if (!ts.isIdentifier(name)) return true;
    let used = false;
    if (body !== undefined)
      visit(body, (node) => {
        used ||= ts.isIdentifier(node) && node.text === name.text;
      });
    return used;
  });
}

/** What a repository's file declares by name, beside the functions that it hands out. */
function declarationsOf(file: ts.SourceFile): Map<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      found.set(node.name.text, node.initializer);
    if (ts.isFunctionDeclaration(node) && node.name && !node.name.text.endsWith("Repository"))
      found.set(node.name.text, node);
  });
  return found;
}

/** `rows` of `found.rows`, of `{ rows: … }` and of `{ rows: found } = …`, which mean no declaration of that name. */
const isPropertyName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
};

/** The tables of customers that a piece of code names, itself or by what it calls in its file. */
function tablesIn(root: ts.Node, declarations: ReadonlyMap<string, ts.Node>, tables: ReadonlySet<string>): Set<string> {
  const bySnakeCase = new Map([...tables].map((table) => [snakeCase(table), table]));
  const found = new Set<string>();
  const seen = new Set<ts.Node>();
  const note = (text: string) => {
    for (const [word] of text.matchAll(/\w+/g)) {
      const table = bySnakeCase.get(word) ?? (tables.has(word) ? word : undefined);
      if (table !== undefined) found.add(table);
    }
  };
  const look = (from: ts.Node): void => {
    if (seen.has(from)) return;
    seen.add(from);
    visit(from, (node) => {
      if (ts.isTaggedTemplateExpression(node)) {
        const { template } = node;
        if (ts.isNoSubstitutionTemplateLiteral(template)) note(template.text);
        else for (const { text } of [template.head, ...template.templateSpans.map((span) => span.literal)]) note(text);
      }
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const called = node.expression.name.text;
        const [first] = node.arguments;
        if (/(From|Join|Into|Table|using)$/.test(called) && first && ts.isStringLiteralLike(first))
          note(first.text.split(" ")[0] ?? "");
        // A table that is known only when it runs may be any.
        if (called === "table" && node.expression.expression.getText() === "sql") found.add("(any)");
      }
      if (ts.isIdentifier(node) && !isPropertyName(node)) {
        const declared = declarations.get(node.text);
        if (declared !== undefined) look(declared);
      }
    });
  };
  look(root);
  return found;
}

/** The functions that a repository hands out. */
function handedOut(factory: ts.FunctionDeclaration): { name: string; node: ts.Node }[] {
  const found: { name: string; node: ts.Node }[] = [];
  const returned = factory.body?.statements.find(ts.isReturnStatement)?.expression;
  if (returned === undefined || !ts.isObjectLiteralExpression(returned)) return [{ name: "(all)", node: factory }];
  for (const property of returned.properties) {
    const name = property.name?.getText() ?? property.getText();
    found.push({ name, node: ts.isPropertyAssignment(property) ? property.initializer : property });
  }
  return found;
}

export interface ScopeReport {
  /** Functions of repositories that were looked at. */
  functions: number;
  /** What is wrong, a sentence each. */
  faults: string[];
}

/** @param root folder of the project */
export function scopeReport(root: string): ScopeReport {
  const source = join(root, "apps/server/src");
  const tables = customersTables(parse(join(source, "database/generated/database.ts")));
  const faults: string[] = [];
  const unused = new Set(Object.keys(allowed));
  let functions = 0;

  for (const path of globSync("**/*.repository.ts", { cwd: source }).sort()) {
    const file = parse(join(source, path));
    const declarations = declarationsOf(file);
    for (const statement of file.statements) {
      if (!ts.isFunctionDeclaration(statement) || statement.modifiers?.[0]?.kind !== ts.SyntaxKind.ExportKeyword)
        continue;
      const isFactory = statement.name?.text.endsWith("Repository") ?? false;
      for (const { name, node } of isFactory
        ? handedOut(statement)
        : [{ name: statement.name?.text ?? "", node: statement }]) {
        functions += 1;
        const reached = tablesIn(node, declarations, tables);
        if (reached.size === 0 || takesScope(statement) || (isCallable(node) && takesScope(node))) continue;
        const called = `${path.split("/").at(-1)} ${name}`;
        if (called in allowed) unused.delete(called);
        else faults.push(`${path}: ${name} reaches ${[...reached].sort().join(", ")} and takes no scope`);
      }
    }
  }
  for (const called of unused) faults.push(`scripts/repository-scopes.ts allows ${called}, which needs no leave`);

  for (const path of globSync("**/*.ts", { cwd: source }).sort()) {
    if (path.endsWith(".test.ts")) continue;
    visit(parse(join(source, path)), (node) => {
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText();
        if (called === "tenantScopeOf" && !tenantScopeMakers.has(path))
          faults.push(`${path} makes the scope of a session`);
        if (called === "systemScope" && systemScopeRefusers.test(path))
          faults.push(`${path} makes a scope of its own instead of taking one`);
      }
      if (ts.isAsExpression(node) && /^((Tenant|Member|Account|System)Scope|Session)\b/.test(node.type.getText()))
        faults.push(`${path} takes something for a ${node.type.getText()}`);
    });
  }
  return { functions, faults };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { functions, faults } = scopeReport(fileURLToPath(new URL("..", import.meta.url)));
  for (const fault of faults) console.error(fault);
  console.log(`${functions} functions of repositories were looked at`);
  process.exitCode = faults.length > 0 || functions < 100 ? 1 : 0;
}
