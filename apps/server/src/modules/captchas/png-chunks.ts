const signatureLength = 8;
/** Length, type and checksum around a chunk's content, bytes. */
const chunkFrame = 12;
const pictureChunks = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** The chunks of a PNG in order (PNG specification, section 5). */
export function* pngChunks(png: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = signatureLength; at < png.length; ) {
    const end = at + chunkFrame + png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), bytes: png.subarray(at, end) };
    at = end;
  }
}

/** Leaves what draws the picture; times, texts, densities and profiles go. */
export const bareChunks = (png: Buffer): Buffer =>
  Buffer.concat([
    png.subarray(0, signatureLength),
    ...[...pngChunks(png)].filter(({ type }) => pictureChunks.has(type)).map(({ bytes }) => bytes),
  ]);
