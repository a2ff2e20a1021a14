import type { Page } from "playwright-core";

/** A picture's pixels: grey and whether it is opaque, row by row. */
interface Pixels {
  width: number;
  height: number;
  grey: number[];
  opaque: boolean[];
}

/** What the page-side code uses of a browser; the tests' own types know no DOM. */
interface PageSide {
  document: {
    querySelector(selector: string): { decode(): Promise<void>; naturalWidth: number; naturalHeight: number } | null;
    createElement(name: "canvas"): {
      width: number;
      height: number;
      getContext(kind: "2d"): {
        drawImage(image: unknown, x: number, y: number): void;
        getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
      };
    };
  };
}

const pixelsOf = (page: Page, selector: string): Promise<Pixels> =>
  page.evaluate(async (chosen) => {
    const { document } = globalThis as unknown as PageSide;
    const image = document.querySelector(chosen);
    if (!image) throw new Error(`no ${chosen}`);
    await image.decode();
    const canvas = document.createElement("canvas");
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const at = (index: number): number => data[index] ?? 0;
    const pixels = Array.from({ length: width * height }, (_, index) => index * 4);
    return {
      width,
      height,
      grey: pixels.map((index) => at(index) * 0.3 + at(index + 1) * 0.59 + at(index + 2) * 0.11),
      opaque: pixels.map((index) => at(index + 3) > 250),
    };
  }, selector);

/** Finds the hole as a person's eye does: where the picture is the piece again, only darker. In picture pixels. */
async function findHole(page: Page): Promise<number> {
  const picture = await pixelsOf(page, ".cap-pic img:not(.cap-piece)");
  const piece = await pixelsOf(page, ".cap-pic img.cap-piece");
  const inside = piece.grey.flatMap((value, index) =>
    piece.opaque[index] ? [{ x: index % piece.width, y: Math.floor(index / piece.width), value }] : [],
  );
  let best = { x: 0, rest: Number.POSITIVE_INFINITY };
  for (let x = 90; x <= picture.width - piece.width; x++) {
    let [own, both, square] = [0, 0, 0];
    for (const point of inside) {
      const seen = picture.grey[point.y * picture.width + x + point.x] ?? 0;
      own += point.value * point.value;
      both += point.value * seen;
      square += seen * seen;
    }
    // The shade that explains most, between a dark and a light one, and the share that it leaves unexplained.
    const shade = Math.min(0.85, Math.max(0.2, both / own));
    const rest = (square - 2 * shade * both + shade * shade * own) / square;
    if (rest < best.rest) best = { x, rest };
  }
  return best.x;
}

/**
 * Solves the sliding puzzle on the page by dragging with the mouse.
 * @returns how many tries it took; throws after five
 */
export async function dragPuzzle(page: Page): Promise<number> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    await page.locator('.cap[data-step="open"] .cap-piece').waitFor();
    const x = await findHole(page);
    const picture = await page.locator(".cap-pic").boundingBox();
    const grip = await page.locator(".cap-grip").boundingBox();
    if (!picture || !grip) throw new Error("the puzzle is not on the screen");
    const from = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + (x * picture.width) / 310, from.y + 3, { steps: 12 });
    const answered = page.waitForResponse((answer) => answer.url().includes("/captcha/skip-secure/check"));
    await page.mouse.up();
    await answered;
    await page.locator('.cap:is([data-step="checking"], [data-step="loading"])').waitFor({ state: "detached" });
    // A dialog leaves with the proof.
    if ((await page.locator('.cap:not([data-step="passed"])').count()) === 0) return attempt;
  }
  throw new Error("the puzzle was not solved in five tries");
}

/** Solves it with the keys alone: focus, arrows, Enter. */
export async function keyPuzzle(page: Page): Promise<void> {
  await page.locator('.cap[data-step="open"] .cap-piece').waitFor();
  const x = await findHole(page);
  const grip = page.getByRole("slider");
  await grip.focus();
  for (let ten = 0; ten < Math.floor(x / 10); ten++) await page.keyboard.press("Shift+ArrowRight");
  for (let one = 0; one < x % 10; one++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator('.cap[data-step="passed"]').waitFor();
}
