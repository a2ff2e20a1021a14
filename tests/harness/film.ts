/** A box of ISO/IEC 14496-12: its type, and what it holds. */
export function box(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** A track that says what it is: `vide`, `soun`, `meta`. */
const track = (handler: string, ...more: readonly Buffer[]): Buffer =>
  box(
    "trak",
    box("tkhd", Buffer.alloc(84)),
    box("mdia", box("mdhd", Buffer.alloc(24)), box("hdlr", "\0\0\0\0\0\0\0\0", handler, Buffer.alloc(13))),
    ...more,
  );

/** Coordinates as phones write them. */
export const filmedAt = "+33.0441-111.8492/";

/**
 * The structure of a film as a phone writes it, with the place in three of the ways that phones have; no player shows anything of it.
 * @param brand in its first box
 * @param handlers of its tracks
 */
export function film(brand = "isom", handlers: readonly string[] = ["vide", "soun", "meta"]): Buffer {
  const place = box("©xyz", "\0\x12\x15\xc7", filmedAt);
  return Buffer.concat([
    box("ftyp", brand, "\0\0\x02\0", "isom", "mp42"),
    box(
      "moov",
      box("mvhd", Buffer.alloc(100)),
      ...handlers.map((handler) =>
        track(handler, ...(handler === "meta" ? [box("stsd", filmedAt)] : [box("udta", place)])),
      ),
      box("udta", place),
      box("meta", box("keys", "com.apple.quicktime.location.ISO6709"), box("ilst", filmedAt)),
    ),
    box("uuid", "a camera's own", filmedAt),
    box("mdat", Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))),
  ]);
}
