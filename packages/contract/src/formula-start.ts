/**
 * What a spreadsheet program could take for a formula: signs in either width, also behind blanks and line ends, which some programs take
 * away. A text that begins so is written with an apostrophe before it.
 */
export const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
