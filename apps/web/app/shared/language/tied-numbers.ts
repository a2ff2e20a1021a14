/** Ties each number to the word before it, so that no line begins with the number of a house or unit. */
export const numbersTied = (text: string): string => text.replace(/ (?=\d)/g, "\u00a0");
