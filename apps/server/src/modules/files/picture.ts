import { logoLeastPx } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { createWorkProcess, WorkLost } from "../../work-process.ts";

export interface StoredPicture {
  readonly extension: "jpg" | "png";
  readonly contentType: "image/jpeg" | "image/png";
  readonly full: Uint8Array;
  /** For lists. */
  readonly small: Uint8Array;
}

/** A picture of a page in the widths that pages fetch, the widest last. */
export interface PagePicture {
  /** Of the widest, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly versions: readonly { readonly width: number; readonly bytes: Uint8Array }[];
}

/** A logo as PNG, with a square icon of it. */
export interface Logo {
  readonly image: Uint8Array;
  readonly icon: Uint8Array;
  /** Of the image, in pixels. */
  readonly width: number;
  readonly height: number;
}

export type PictureFault = "unreadable" | "too_many_pixels" | "too_few_pixels";
export type PictureWork =
  | { what: "anew"; path: string }
  | { what: "pages"; path: string }
  /** @property drawing as SVG */
  | { what: "logo"; path: string }
  | { what: "draw"; drawing: string };
export type PictureAnswer = StoredPicture | PagePicture | Logo | { drawn: Uint8Array };

const ask = createWorkProcess<PictureWork, PictureAnswer | { fault: PictureFault }>({
  module: new URL("./picture-process.ts", import.meta.url),
  work: "a picture",
  // More wait, so that many uploads at once do not fill the memory.
  atOnce: 2,
});

/** Answers come in the form of the question; the compiler can't know that of a process. */
async function asked<Answer extends PictureAnswer>(work: PictureWork): Promise<Answer> {
  const answer = await ask(work).catch((error: unknown) => {
    // What nothing can be made of, and what brings the picture library down, is no picture.
    if (error instanceof WorkLost) throw refuse("upload.picture_unreadable");
    throw error;
  });
  if ("fault" in answer)
    throw refuse(`upload.${answer.fault === "unreadable" ? "picture_unreadable" : answer.fault}`, {
      values: { least: logoLeastPx },
    });
  return answer as Answer;
}

/**
 * Decodes a picture and encodes it anew, so that nothing is stored but its pixels: no place and time where it was taken, no
 * script behind its end.
 * @throws {Refusal} 400 when the content is no jpg, png or bmp, can't be decoded, or has too many pixels
 */
export const encodeAnew = (path: string) => asked<StoredPicture>({ what: "anew", path });

/**
 * Decodes a picture and encodes it as WebP in the widths of pages.
 * @throws {Refusal} as `encodeAnew`
 */
export const encodeForPages = (path: string) => asked<PagePicture>({ what: "pages", path });

/**
 * Decodes a picture and encodes it as a logo.
 * @throws {Refusal} as `encodeAnew`, and when it has too few pixels
 */
export const encodeLogo = (path: string) => asked<Logo>({ what: "logo", path });

/** Draws an SVG of our own as PNG. */
export const drawPicture = async (drawing: string): Promise<Uint8Array> =>
  (await asked<{ drawn: Uint8Array }>({ what: "draw", drawing })).drawn;
