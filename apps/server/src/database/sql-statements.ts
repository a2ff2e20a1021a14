/** What a statement can hold that hides a semicolon: comments, quoted names and texts, and texts between dollar signs. */
const hiding =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\b[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/**
 * The statements of a text of several. Bodies of functions are between dollar signs or one expression; `begin atomic` is not known.
 * @returns each with its comments, without the semicolon at its end
 */
export function statementsOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const { 0: part, index } of text.matchAll(hiding)) {
    if (part !== ";") continue;
    found.push(text.slice(from, index));
    from = index + 1;
  }
  found.push(text.slice(from));
  // A comment alone is no statement.
  return found.filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "");
}
