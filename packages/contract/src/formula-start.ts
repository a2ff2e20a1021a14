/**
 * Matches a text that a spreadsheet program could take for a formula: signs in ASCII or full width, also after spaces and line
 * ends, which some programs remove.
 * Such a text is written with an apostrophe before it.
 */
export const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
