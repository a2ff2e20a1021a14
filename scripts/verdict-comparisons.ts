// Where a reading is compared with a limit outside of the one place that judges (packages/device-kinds/src/verdict.ts). Run by `npm run check`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const folders = ["apps/web/app", "apps/server/src/modules/analytics", "apps/server/src/modules/reports"];

/** Functions that answer with a reading, and the one that hands the readings of a minute to its callback. */
const readers = new Set(["numberIn", "figureOf", "numberOf", "held", "lookup", "climateOf"]);
const minuteReaders = new Set(["eachMinute"]);
/** What a limit is declared by: only a verdict may tell it. */
const declaredLimits = new Set([
  "normal",
  "temperatureComfort",
  "temperatureLimits",
  "humidityComfort",
  "humidityLimits",
  "limitValue",
  "mainComparison",
  "ruleHolds",
]);

/** What a file calls a limit of its own, `value < least`. */
const limitNames = /^(least|limit|limitPpm)$/;

const severities = new Set(["critical", "major", "minor", "notice"]);

const drawings = "apps/web/app/centre/drawings";
const formulas = "apps/server/src/modules/analytics/formulas";
const flows = "water that flows is drawn as flowing: a meter at rest tells a little";
const enough = "a figure is told from so many readings on";
/** Comparisons that judge nothing, by `path: text`, and why. */
const allowed: Readonly<Record<string, string>> = {
  [`${drawings}/bathroom.tsx: (numberOf("flow") ?? 0) > 1`]: flows,
  [`${drawings}/dosing-station.tsx: (numberOf(\`flow_\${meter}\`) ?? 0) > 1`]: flows,
  [`${drawings}/water-line.tsx: (numberOf("flow") ?? 0) > 0.01`]: flows,
  [`${drawings}/water-line.tsx: (numberOf("acid") ?? 0) > 50`]: "its words stand away from the surface",
  "apps/web/app/centre/environment/climate.ts: Math.abs(deviation) < 0.05": "shows the same number as the target",
  "apps/web/app/centre/cough/day-bars.tsx: value >= limit": "from where on the advice asks to act; told by actsFrom",
  "apps/web/app/site/night-model.ts: ppm > limitPpm":
    "an example of the public site, which loads no kinds; its test holds the limit",
  [`${formulas}/cough.ts: hours < leastHours`]: enough,
  [`${formulas}/cough.ts: hours < 0.5`]: enough,
  [`${formulas}/cough.ts: told < herd`]: "pigs that are heard are no more than the herd",
  [`${formulas}/deodorization.ts: pump >= 0.5`]: "a minute in which the pump ran for its half",
  [`${formulas}/disinfect.ts: flow <= leastFlow`]: "water that stands has no residual of its own",
  [`${formulas}/environment.ts: lux >= wantedLux * 0.9`]: "the light that was set, not a limit",
  [`${formulas}/environment.ts: Math.abs(gear - wanted) <= gearTolerance`]: "the gear of the fan table, not a limit",
  [`${formulas}/environment.ts: vent >= air`]: "the least air of the heads at that time, not a limit",
  [`${formulas}/environment.ts: Math.abs(probe - average) <= probeKelvin`]: "a probe against the others, not a limit",
  [`${formulas}/environment.ts: value >= 100`]: "days that reached all of their light",
  [`${formulas}/formula.ts: pairs.length < least`]: enough,
  [`${formulas}/temperature.ts: (numberOf(body.scanned) ?? 0) >= leastScanned`]: enough,
  [`${formulas}/temperature.ts: fever > n`]: "a count within its whole, not a limit",
  [`${formulas}/temperature.ts: (numberOf(body.t_core_est) ?? 0) >= threshold`]: "the fever that the farm has set",
};

const ordered = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

function visit(node: ts.Node, take: (node: ts.Node) => void): void {
  take(node);
  ts.forEachChild(node, (child) => visit(child, take));
}

const calledName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : ts.isIdentifier(expression) ? expression.text : "";

function namesIn(binding: ts.BindingName): string[] {
  if (ts.isIdentifier(binding)) return [binding.text];
  return binding.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
}

/** Whether the value of an expression is a reading, or worked out of one. */
function isReading(node: ts.Node, named: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return named.has(node.text);
  if (ts.isCallExpression(node))
    return (
      readers.has(calledName(node)) || (calledName(node) === "abs" && node.arguments.some((of) => isReading(of, named)))
    );
  if (ts.isPropertyAccessExpression(node)) {
    const from = node.expression.getText();
    // `readings.t_in?.value` and `verdictOf("rh").value`
    return node.name.text === "value" && (/\breadings\b/.test(from) || /\bverdictOf\(/.test(from));
  }
  if (ts.isElementAccessExpression(node)) return isReading(node.expression, named);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return isReading(node.expression, named);
  if (ts.isConditionalExpression(node)) return isReading(node.whenTrue, named) || isReading(node.whenFalse, named);
  if (ts.isArrayLiteralExpression(node)) return node.elements.some((element) => isReading(element, named));
  if (ts.isBinaryExpression(node) && !ordered.has(node.operatorToken.kind)) {
    const { kind } = node.operatorToken;
    const makesNumber =
      kind === ts.SyntaxKind.QuestionQuestionToken ||
      kind === ts.SyntaxKind.MinusToken ||
      kind === ts.SyntaxKind.PlusToken ||
      kind === ts.SyntaxKind.AsteriskToken ||
      kind === ts.SyntaxKind.SlashToken;
    return makesNumber && (isReading(node.left, named) || isReading(node.right, named));
  }
  return false;
}

/** Names that stand for readings in a file. A name is one in all of it: a file that calls two things alike is hard to read, too. */
function readingNames(file: ts.SourceFile): Set<string> {
  const named = new Set<string>();
  for (let before = -1; before !== named.size; ) {
    before = named.size;
    visit(file, (node) => {
      if (ts.isVariableDeclaration(node) && node.initializer && isReading(node.initializer, named))
        for (const name of namesIn(node.name)) named.add(name);
      if (!ts.isCallExpression(node) || !minuteReaders.has(calledName(node))) return;
      const taker = node.arguments.at(-1);
      const first = taker && (ts.isArrowFunction(taker) ? taker.parameters[0] : undefined);
      for (const name of first ? namesIn(first.name) : []) named.add(name);
    });
  }
  return named;
}

/** Whether a comparison chooses how bad something is: `value >= 15 ? "critical" : …`. */
const choosesSeverity = ({ parent }: ts.Node): boolean =>
  ts.isConditionalExpression(parent) &&
  [parent.whenTrue, parent.whenFalse].some((branch) => ts.isStringLiteral(branch) && severities.has(branch.text));

/** Whether something flows or turns at all is no limit. */
const isZero = (node: ts.Node): boolean => ts.isNumericLiteral(node) && Number(node.text) === 0;

/** The comparisons of readings with limits in a source, as they are written, and the limits that it reads past the verdicts. */
export function comparisonsIn(path: string, source: string): string[] {
  const file = ts.createSourceFile(
    path,
    source,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const knowsKinds = source.includes("@herdwise/device-kinds");
  const named = readingNames(file);
  const found: string[] = [];
  visit(file, (node) => {
    if (ts.isBinaryExpression(node) && ordered.has(node.operatorToken.kind)) {
      const { left, right } = node;
      const isLimit =
        [left, right].some((side) => ts.isIdentifier(side) && limitNames.test(side.text)) ||
        (choosesSeverity(node) && ![left, right].some(isZero));
      if (isLimit || (isReading(left, named) && !isZero(right)) || (isReading(right, named) && !isZero(left)))
        found.push(node.getText());
    }
    if (!knowsKinds) return;
    if (ts.isPropertyAccessExpression(node) && declaredLimits.has(node.name.text)) found.push(node.getText());
    if (ts.isBindingElement(node) || ts.isImportSpecifier(node)) {
      const name = (node.propertyName ?? node.name).getText();
      if (declaredLimits.has(name)) found.push(name);
    }
  });
  return found.map((text) => text.replace(/\s+/g, " "));
}

export interface ComparisonReport {
  /** Files that were looked at. */
  files: number;
  /** What is wrong, a sentence each. */
  faults: string[];
}

/** @param root folder of the project */
export function comparisonReport(root: string): ComparisonReport {
  const unused = new Set(Object.keys(allowed));
  const faults: string[] = [];
  const paths = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).sort());
  const judged = paths.filter((path) => !/\.test\.tsx?$/.test(path));
  for (const path of judged) {
    for (const text of comparisonsIn(path, readFileSync(join(root, path), "utf8"))) {
      const called = `${path.replaceAll("\\", "/")}: ${text}`;
      if (called in allowed) unused.delete(called);
      else faults.push(`${called} compares by itself: ask verdictOf of device-kinds`);
    }
  }
  for (const called of unused) faults.push(`scripts/verdict-comparisons.ts allows ${called}, which needs no leave`);
  return { files: judged.length, faults };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, faults } = comparisonReport(fileURLToPath(new URL("..", import.meta.url)));
  for (const fault of faults) console.error(fault);
  console.log(`${files} files were looked at`);
  process.exitCode = faults.length > 0 || files < 100 ? 1 : 0;
}
