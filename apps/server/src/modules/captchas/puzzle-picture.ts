import { randomInt } from "node:crypto";
import { blockPuzzle } from "@herdwise/contract";
import sharp from "sharp";
import { bareChunks } from "./png-chunks.ts";
import { type Chance, puzzleScene } from "./puzzle-scene.ts";

const { width, height, pieceWidth } = blockPuzzle;

/** Body and knob of the piece, px: together they are as wide as its picture. */
const bodySize = 38;
const knobRadius = 7;
/** How far a knob's centre lies outside the edge it sits on. */
const knobReach = pieceWidth - bodySize - knobRadius;

interface Shape {
  /** Where the body begins, px from the top. The piece is drawn there, while the protocol's y stays 5. */
  top: number;
  /** Knob (1) or notch (-1) on each side; the left side has none or a notch, as the piece begins at its picture's edge. */
  right: 1 | -1;
  upper: 1 | -1;
  lower: 1 | -1;
  left: 0 | -1;
}

const side = (chance: Chance): 1 | -1 => (chance() < 0.5 ? 1 : -1);

const randomShape = (chance: Chance): Shape => ({
  top: 24 + Math.floor(chance() * (height - bodySize - 36)),
  right: side(chance),
  upper: side(chance),
  lower: side(chance),
  left: chance() < 0.5 ? 0 : -1,
});

/** Distance to the piece's outline in px, negative inside. */
function distance({ top, right, upper, lower, left }: Shape, x: number, y: number): number {
  const half = bodySize / 2;
  const [dx, dy] = [x - half, y - (top + half)];
  const [ox, oy] = [Math.abs(dx) - half, Math.abs(dy) - half];
  let d = Math.hypot(Math.max(ox, 0), Math.max(oy, 0)) + Math.min(Math.max(ox, oy), 0);
  const knob = (kind: number, cx: number, cy: number) => {
    if (kind === 0) return;
    const reach = kind * knobReach;
    const round = Math.hypot(dx - cx * (half + reach), dy - cy * (half + reach)) - knobRadius;
    d = kind > 0 ? Math.min(d, round) : Math.max(d, -round);
  };
  knob(right, 1, 0);
  knob(left, -1, 0);
  knob(upper, 0, -1);
  knob(lower, 0, 1);
  return d;
}

const mix = (from: number, to: number, share: number) => Math.round(from + (to - from) * share);

/** What a puzzle shows, and where its hole is. */
export interface PuzzlePicture {
  /** Hole's left edge in picture pixels: the answer. */
  x: number;
  /** PNG, Base64. */
  picture: string;
  piece: string;
}

const pngOptions = { compressionLevel: 9, adaptiveFiltering: true } as const;

/**
 * Draws a puzzle. Rasterizing and compressing run in libvips' threads; this thread touches some 7,000 pixels.
 * @param x hole's left edge, 100 to 262; random by default
 */
export async function drawPuzzle(
  x: number = randomInt(blockPuzzle.leastX, blockPuzzle.mostX + 1),
  chance: Chance = Math.random,
): Promise<PuzzlePicture> {
  const shape = randomShape(chance);
  const pixels = await sharp(Buffer.from(puzzleScene(chance)))
    .removeAlpha()
    .raw()
    .toBuffer();
  const piece = Buffer.alloc(pieceWidth * height * 4);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < pieceWidth; column += 1) {
      const d = distance(shape, column + 0.5, row + 0.5);
      if (d > 2) continue;
      const from = (row * width + x + column) * 3;
      const to = (row * pieceWidth + column) * 4;
      const inside = Math.min(1, Math.max(0, 0.5 - d));
      const edge = Math.max(0, 1 - Math.abs(d + 0.8));
      for (let channel = 0; channel < 3; channel += 1) {
        const seen = pixels[from + channel] ?? 0;
        piece[to + channel] = mix(seen, 255, edge * 0.85);
        pixels[from + channel] = mix(mix(seen, 20, inside * 0.5), 255, Math.max(0, 1 - Math.abs(d)) * 0.6);
      }
      piece[to + 3] = Math.round(inside * 255);
    }
  }
  const [whole, part] = await Promise.all([
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .png(pngOptions)
      .toBuffer(),
    sharp(piece, { raw: { width: pieceWidth, height, channels: 4 } })
      .png(pngOptions)
      .toBuffer(),
  ]);
  return { x, picture: bareChunks(whole).toString("base64"), piece: bareChunks(part).toString("base64") };
}

/** Puzzles that wait for a caller, so that an answer does not wait for drawing. */
const poolSize = 8;

export interface PuzzlePool {
  take(): Promise<PuzzlePicture>;
}

/** Hands out drawn puzzles, each once, and draws the next ones one after another in the background. */
export function createPuzzlePool(draw: () => Promise<PuzzlePicture> = drawPuzzle): PuzzlePool {
  const ready: PuzzlePicture[] = [];
  let filling = false;
  const fill = async () => {
    if (filling) return;
    filling = true;
    try {
      while (ready.length < poolSize) ready.push(await draw());
    } finally {
      filling = false;
    }
  };
  return {
    async take() {
      const drawn = ready.shift() ?? (await draw());
      // A failure to draw ahead shows when the next caller's own drawing fails.
      void fill().catch(() => undefined);
      return drawn;
    },
  };
}
