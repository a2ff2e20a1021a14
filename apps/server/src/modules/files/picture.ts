import { readFile } from "node:fs/promises";
import { smallPicturePx } from "@herdwise/contract";
import { decode } from "bmp-ts";
import { fileTypeFromBuffer } from "file-type";
import sharp, { type Sharp } from "sharp";
import { Refusal, refuse } from "../../http/errors.ts";

/** A picture of more pixels is not decoded. A phone's camera has 12 to 50 million. */
const maxPixels = 50_000_000;
/** BMP is decoded by script into memory at once, so it may have fewer. */
const maxBmpPixels = 10_000_000;
/** The longest side that is kept. */
const longestPx = 4096;
const decodeLimitS = 15;
/** Pictures that are decoded at a time; more wait, so that many uploads at once do not fill the memory. */
const decodedAtOnce = 2;

export interface StoredPicture {
  readonly extension: "jpg" | "png";
  readonly contentType: "image/jpeg" | "image/png";
  readonly full: Buffer;
  /** For lists. */
  readonly small: Buffer;
}

const unreadable = () => refuse("upload.picture_unreadable");
const tooManyPixels = () => refuse("upload.too_many_pixels");

let decoding = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (decoding >= decodedAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else decoding += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) decoding -= 1;
    else next();
  }
}

/** Pixels of a BMP, which the picture library does not read. */
function fromBmp(bytes: Buffer): Sharp {
  if (bytes.length < 54) throw unreadable();
  const width = Math.abs(bytes.readInt32LE(18));
  const height = Math.abs(bytes.readInt32LE(22));
  if (width === 0 || height === 0) throw unreadable();
  // From the header, before anything is laid out.
  if (width * height > maxBmpPixels) throw tooManyPixels();
  const picture = decode(bytes);
  // Its bytes are alpha, blue, green, red; a palette's alpha means nothing.
  const pixels = Buffer.alloc(picture.width * picture.height * 3);
  for (let pixel = 0; pixel < picture.width * picture.height; pixel += 1) {
    pixels[pixel * 3] = picture.data[pixel * 4 + 3] ?? 0;
    pixels[pixel * 3 + 1] = picture.data[pixel * 4 + 2] ?? 0;
    pixels[pixel * 3 + 2] = picture.data[pixel * 4 + 1] ?? 0;
  }
  return sharp(pixels, { raw: { width: picture.width, height: picture.height, channels: 3 } });
}

/**
 * Decodes a picture and encodes it anew, so that nothing is stored but its pixels: no place and time where it was taken, no
 * script behind its end.
 * @throws {Refusal} 400 when the content is no jpg, png or bmp, can't be decoded, or has too many pixels
 */
export function encodeAnew(path: string): Promise<StoredPicture> {
  return inTurn(async () => {
    const bytes = await readFile(path);
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
    if (type === undefined || !["jpg", "png", "bmp"].includes(type.ext)) throw unreadable();
    try {
      const options = { limitInputPixels: maxPixels, failOn: "error", pages: 1, sequentialRead: true } as const;
      const source = type.ext === "bmp" ? fromBmp(bytes) : sharp(bytes, options);
      if (type.ext !== "bmp") {
        const { width, height } = await source.metadata();
        if (width * height > maxPixels) throw tooManyPixels();
      }
      // Turned as the camera was held, because the note of that goes with the rest.
      const whole = source
        .timeout({ seconds: decodeLimitS })
        .autoOrient()
        .resize({ width: longestPx, height: longestPx, fit: "inside", withoutEnlargement: true });
      const isJpeg = type.ext === "jpg";
      const encode = (picture: Sharp) =>
        isJpeg ? picture.jpeg({ quality: 85 }) : picture.png({ compressionLevel: 8 });
      const full = await encode(whole).toBuffer();
      const small = await encode(
        sharp(full, options).resize({
          width: smallPicturePx,
          height: smallPicturePx,
          fit: "inside",
          withoutEnlargement: true,
        }),
      ).toBuffer();
      return isJpeg
        ? { extension: "jpg", contentType: "image/jpeg", full, small }
        : { extension: "png", contentType: "image/png", full, small };
    } catch (error) {
      if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels();
      if (error instanceof Refusal) throw error;
      throw unreadable();
    }
  });
}
