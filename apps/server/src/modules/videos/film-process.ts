// Draws films: what the hundred pictures of each take of memory goes with this process.
import sharp from "sharp";
import { answerWork } from "../../answer-work.ts";
import type { FilmDrawings, WrittenFilm } from "./write-film.ts";

/** An element of EBML: its id, its length in eight bytes, what it holds. */
function element(id: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  const idBytes = Buffer.from(id.toString(16).padStart(2, "0"), "hex");
  const length = Buffer.alloc(8);
  length[0] = 0x01;
  length.writeUIntBE(content.length, 2, 6);
  return Buffer.concat([idBytes, length, content]);
}
const whole = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const broken = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};

/** A lossy WebP holds one key frame of VP8 (RFC 6386, RFC 9649), which is what a film of VP8 is made of. */
function keyFrameOf(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    if (webp.toString("latin1", at, at + 4) === "VP8 ") return webp.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  throw new Error("the picture is no lossy WebP");
}

/** A frame in a cluster: of track 1, some ms after the cluster's own time, and complete by itself. */
function block(afterMs: number, frame: Buffer): Buffer {
  const head = Buffer.from([0x81, 0, 0, 0x80]);
  head.writeInt16BE(afterMs, 1);
  return element(0xa3, head, frame);
}

/**
 * Writes a WebM film of drawings, frame by frame, with the picture library that is there anyway; each frame stands by itself, which is
 * right for drawings of some seconds and too large for anything else.
 */
async function write({
  width,
  height,
  seconds,
  framesPerSecond,
  drawings,
  poster,
}: FilmDrawings): Promise<WrittenFilm> {
  const picture = (drawing: string) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawing}</svg>`));
  const frames: Buffer[] = [];
  for (const drawing of drawings)
    frames.push(keyFrameOf(await picture(drawing).webp({ quality: 62, effort: 2 }).toBuffer()));

  const clusters = Array.from({ length: seconds }, (_, second) =>
    element(
      0x1f43b675,
      element(0xe7, whole(second * 1000)),
      ...frames
        .slice(second * framesPerSecond, (second + 1) * framesPerSecond)
        .map((one, at) => block(Math.round((at * 1000) / framesPerSecond), one)),
    ),
  );
  const info = element(
    0x1549a966,
    element(0x2ad7b1, whole(1_000_000)),
    element(0x4d80, "herdwise"),
    element(0x5741, "herdwise"),
    element(0x4489, broken(seconds * 1000)),
  );
  const tracks = element(
    0x1654ae6b,
    element(
      0xae,
      element(0xd7, whole(1)),
      element(0x73c5, whole(1)),
      element(0x83, whole(1)),
      element(0x86, "V_VP8"),
      element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height))),
    ),
  );
  // Where each second begins, so that players jump; its own length does not depend on what it says.
  const cuesAt = (from: number): Buffer => {
    let at = from;
    return element(
      0x1c53bb6b,
      ...clusters.map((cluster, second) => {
        const cue = element(
          0xbb,
          element(0xb3, whole(second * 1000)),
          element(0xb7, element(0xf7, whole(1)), element(0xf1, whole(at))),
        );
        at += cluster.length;
        return cue;
      }),
    );
  };
  const before = info.length + tracks.length;
  const film = Buffer.concat([
    element(
      0x1a45dfa3,
      element(0x4286, whole(1)),
      element(0x42f7, whole(1)),
      element(0x42f2, whole(4)),
      element(0x42f3, whole(8)),
      element(0x4282, "webm"),
      element(0x4287, whole(4)),
      element(0x4285, whole(2)),
    ),
    element(0x18538067, info, tracks, cuesAt(before + cuesAt(0).length), ...clusters),
  ]);
  return { film, poster: await picture(poster).png().toBuffer() };
}

answerWork(write);
