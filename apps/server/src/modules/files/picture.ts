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

const options = { limitInputPixels: maxPixels, failOn: "error", pages: 1, sequentialRead: true } as const;

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
 * Works with a decoded picture, turned as the camera was held, because the note of that goes with the rest.
 * @throws {Refusal} 400 when the content is no jpg, png or bmp, can't be decoded, or has too many pixels
 */
function withDecoded<T>(path: string, work: (picture: Sharp, isJpeg: boolean) => Promise<T>): Promise<T> {
  return inTurn(async () => {
    const bytes = await readFile(path);
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
    if (type === undefined || !["jpg", "png", "bmp"].includes(type.ext)) throw unreadable();
    try {
      const source = type.ext === "bmp" ? fromBmp(bytes) : sharp(bytes, options);
      if (type.ext !== "bmp") {
        const { width, height } = await source.metadata();
        if (width * height > maxPixels) throw tooManyPixels();
      }
      return await work(source.timeout({ seconds: decodeLimitS }).autoOrient(), type.ext === "jpg");
    } catch (error) {
      if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels();
      if (error instanceof Refusal) throw error;
      throw unreadable();
    }
  });
}

/**
 * Decodes a picture and encodes it anew, so that nothing is stored but its pixels: no place and time where it was taken, no
 * script behind its end.
 * @throws {Refusal} 400 when the content is no jpg, png or bmp, can't be decoded, or has too many pixels
 */
export function encodeAnew(path: string): Promise<StoredPicture> {
  return withDecoded(path, async (picture, isJpeg) => {
    const whole = picture.resize({ width: longestPx, height: longestPx, fit: "inside", withoutEnlargement: true });
    const encode = (one: Sharp) => (isJpeg ? one.jpeg({ quality: 85 }) : one.png({ compressionLevel: 8 }));
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
  });
}

/** A picture of a page in the widths that pages fetch, the widest last. */
export interface PagePicture {
  /** Of the widest, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly versions: readonly { readonly width: number; readonly bytes: Buffer }[];
}

/**
 * Decodes a picture and encodes it as WebP in some widths.
 * @param widthsOf what a picture of a width is kept in, the widest last
 * @throws {Refusal} as `encodeAnew`
 */
export function encodeForPages(path: string, widthsOf: (width: number) => readonly number[]): Promise<PagePicture> {
  return withDecoded(path, async (picture) => {
    // Laid out once, without loss; each version is made of it.
    const { data, info } = await picture
      .resize({ width: longestPx, height: longestPx, fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const versions: { width: number; height: number; bytes: Buffer }[] = [];
    for (const width of widthsOf(info.width)) {
      const made = await sharp(data, { raw })
        .resize({ width })
        .webp({ quality: 80 })
        .toBuffer({ resolveWithObject: true });
      versions.push({ width, height: made.info.height, bytes: made.data });
    }
    const widest = versions.at(-1);
    if (widest === undefined) throw new Error("a picture is kept in one width at least");
    return { width: widest.width, height: widest.height, versions };
  });
}
