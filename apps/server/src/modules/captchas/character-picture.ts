import { randomInt } from "node:crypto";
import sharp from "sharp";
import { bareChunks } from "./png-chunks.ts";

const width = 130;
const height = 48;
const characterCount = 5;

/**
 * Strokes of the characters on a grid of 20×28, drawn by ourselves because a machine may have no fonts. Left out is what
 * people mistake for something else: 0 O Q D, 1 I L, 2 Z, 5 S, 8 B, U V, G 6 C would be one pair too many, so G is out.
 */
const strokes: Readonly<Record<string, string>> = {
  "3": "M3,4 Q10,-1 15,4 Q18,10 10,13 Q19,15 16,23 Q10,31 2,24",
  "4": "M14,28 L14,0 L1,19 L19,19",
  "6": "M15,1 Q3,7 3,20 Q4,28 10,28 Q17,27 17,20 Q16,13 10,13 Q5,13 3,19",
  "7": "M2,1 L18,1 Q9,13 7,28",
  "9": "M17,9 Q15,15 10,15 Q3,14 3,8 Q4,0 10,0 Q17,1 17,9 Q17,21 6,28",
  A: "M1,28 L10,0 L19,28 M5,18 L15,18",
  C: "M18,5 Q10,-4 4,6 Q0,14 4,22 Q10,32 18,23",
  E: "M17,0 L3,0 L3,28 L17,28 M3,14 L14,14",
  F: "M17,0 L3,0 L3,28 M3,14 L14,14",
  H: "M2,0 L2,28 M18,0 L18,28 M2,14 L18,14",
  J: "M16,0 L16,20 Q15,28 9,28 Q3,28 2,21",
  K: "M3,0 L3,28 M18,0 L3,16 M8,11 L18,28",
  M: "M1,28 L3,0 L10,18 L17,0 L19,28",
  N: "M2,28 L2,0 L18,28 L18,0",
  P: "M3,28 L3,0 L11,0 Q18,1 18,8 Q18,15 11,15 L3,15",
  R: "M3,28 L3,0 L11,0 Q18,1 18,7 Q18,14 11,14 L3,14 M10,14 L18,28",
  T: "M1,0 L19,0 M10,0 L10,28",
  W: "M1,0 L5,28 L10,10 L15,28 L19,0",
  X: "M2,0 L18,28 M18,0 L2,28",
  Y: "M1,0 L10,14 L19,0 M10,14 L10,28",
};
const alphabet = Object.keys(strokes);
const colours = ["#0f3d2e", "#1c6aab", "#a8430a", "#86518a", "#7a5500"];

/** Five random characters; uppercase letters and digits. */
export const randomCharacters = (): string =>
  Array.from({ length: characterCount }, () => alphabet[randomInt(alphabet.length)]).join("");

/** Draws characters, each turned, slanted and scaled a little, under lines and dots. @returns a PNG of 130×48 */
export async function drawCharacters(characters: string, chance: () => number = Math.random): Promise<Buffer> {
  const between = (min: number, max: number) => Math.round((min + chance() * (max - min)) * 10) / 10;
  const colour = () => colours[Math.floor(chance() * colours.length)];
  const glyphs = [...characters].map((character, at) => {
    const [x, y] = [8 + at * 24 + between(-2, 3), 10 + between(-3, 3)];
    const turn = `rotate(${between(-16, 16)} 10 14) skewX(${between(-12, 12)}) scale(${between(0.82, 1)})`;
    return `<path d="${strokes[character]}" transform="translate(${x},${y}) ${turn}" stroke="${colour()}" stroke-width="${between(2.6, 3.6)}"/>`;
  });
  const lines = Array.from({ length: 5 }, () => {
    const [from, to] = [between(0, height), between(0, height)];
    return `<path d="M-2,${from} C${between(20, 50)},${between(-10, height + 10)} ${between(70, 110)},${between(-10, height + 10)} ${width + 2},${to}" stroke="${colour()}" stroke-width="${between(0.8, 1.6)}" opacity="0.6"/>`;
  });
  const dots = Array.from(
    { length: 40 },
    () =>
      `<circle cx="${between(0, width)}" cy="${between(0, height)}" r="${between(0.5, 1.2)}" fill="${colour()}" stroke="none" opacity="0.6"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none" stroke-linecap="round" stroke-linejoin="round"><rect width="${width}" height="${height}" fill="#f5f3ee"/>${dots.join("")}${glyphs.join("")}${lines.join("")}</svg>`;
  return bareChunks(await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer());
}
