// Decodes pictures that people send: what brings the picture library down ends this process, and the server goes on.
import { readFile } from "node:fs/promises";
import { logoLeastPx, logoSize } from "@herdwise/contract";
import { pagePictureWidths, smallPicturePx } from "@herdwise/contract/picture-widths";
import { decode } from "bmp-ts";
import { fileTypeFromBuffer } from "file-type";
import sharp, { type Sharp } from "sharp";
import { answerWork } from "../../answer-work.ts";
import type { Logo, PagePicture, PictureAnswer, PictureFault, PictureWork, StoredPicture } from "./picture.ts";

// No picture is worked on twice.
sharp.cache(false);

/** A picture of more pixels is not decoded. A phone's camera has 12 to 50 million. */
const maxPixels = 50_000_000;
/** BMP is decoded by script into memory at once, so it may have fewer. */
const maxBmpPixels = 10_000_000;
/** The longest side that is kept. */
const longestPx = 4096;
const decodeLimitS = 15;

const options = { limitInputPixels: maxPixels, failOn: "error", pages: 1, sequentialRead: true } as const;

class Unusable extends Error {
  readonly fault: PictureFault;
  constructor(fault: PictureFault) {
    super(fault);
    this.fault = fault;
  }
}
const unreadable = () => new Unusable("unreadable");
const tooManyPixels = () => new Unusable("too_many_pixels");

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
 * @throws {Unusable} when the content is no jpg, png or bmp, can't be decoded, or has too many pixels
 */
async function withDecoded<T>(path: string, work: (picture: Sharp, isJpeg: boolean) => Promise<T>): Promise<T> {
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
    if (error instanceof Unusable) throw error;
    throw unreadable();
  }
}

const encodeAnew = (path: string): Promise<StoredPicture> =>
  withDecoded(path, async (picture, isJpeg) => {
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

const encodeForPages = (path: string): Promise<PagePicture> =>
  withDecoded(path, async (picture) => {
    // Laid out once, without loss; each version is made of it.
    const { data, info } = await picture
      .resize({ width: longestPx, height: longestPx, fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const versions: { width: number; height: number; bytes: Buffer }[] = [];
    for (const width of pagePictureWidths(info.width)) {
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

const encodeLogo = (path: string): Promise<Logo> =>
  withDecoded(path, async (picture) => {
    const { data, info } = await picture
      .resize({ width: longestPx, height: longestPx, fit: "inside", withoutEnlargement: true })
      .ensureAlpha()
      .png()
      .toBuffer({ resolveWithObject: true });
    if (Math.min(info.width, info.height) < logoLeastPx) throw new Unusable("too_few_pixels");
    const png = { compressionLevel: 9 } as const;
    const fitted = await sharp(data)
      .resize({ width: logoSize.width, height: logoSize.height, fit: "inside", withoutEnlargement: true })
      .png(png)
      .toBuffer({ resolveWithObject: true });
    const icon = await sharp(data)
      .resize({ width: logoSize.icon, height: logoSize.icon, fit: "contain", background: "#00000000" })
      .png(png)
      .toBuffer();
    return { image: fitted.data, icon, width: fitted.info.width, height: fitted.info.height };
  });

function answerTo(work: PictureWork): Promise<PictureAnswer> {
  switch (work.what) {
    case "anew":
      return encodeAnew(work.path);
    case "pages":
      return encodeForPages(work.path);
    case "logo":
      return encodeLogo(work.path);
    case "draw":
      return sharp(Buffer.from(work.drawing))
        .png()
        .toBuffer()
        .then((drawn) => ({ drawn }));
  }
}

answerWork<PictureWork, PictureAnswer | { fault: PictureFault }>((work) =>
  answerTo(work).catch((error: unknown) => {
    if (error instanceof Unusable) return { fault: error.fault };
    throw error;
  }),
);
