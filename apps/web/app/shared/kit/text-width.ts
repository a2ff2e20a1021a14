/** Approximate width of a text of 13 px in pixels: a Chinese character is as wide as the font size, a Latin letter half of it. */
export const widthOfText = (text: string): number =>
  [...text].reduce((width, letter) => width + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 13.5 : 7.4), 0);
