import { type FileHandle, open } from "node:fs/promises";
import { refuse } from "../../http/errors.ts";
import { cleanWebm } from "./webm.ts";

/** Formats of phones and cameras that browsers play: MP4 and QuickTime, by the brand in their first box (ISO/IEC 14496-12). */
const brands = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|MSNV|3gp[4-6]|qt {2}|hvc1|hevc)$/;
/** What may stand on its own in such a file. */
const topBoxes = new Set([
  "ftyp",
  "moov",
  "mdat",
  "free",
  "skip",
  "wide",
  "uuid",
  "meta",
  "moof",
  "mfra",
  "sidx",
  "styp",
]);
/** Boxes that hold boxes, down to where a track says what it is. */
const holders = new Set(["moov", "trak", "mdia"]);
/** Who filmed what, where and when, in words of the camera: nothing of it is played. */
const metadata = new Set(["udta", "meta", "uuid"]);
/** Lists of frames of a film of minutes take a small part of this, bytes. */
const mostIndexBytes = 8 * 1024 * 1024;
const mostTopBoxes = 20_000;

interface Box {
  type: string;
  /** Where it begins, and where what it holds begins and ends. */
  at: number;
  from: number;
  to: number;
}

const unreadable = () => refuse("upload.video_unreadable");

/** @throws {Refusal} unless the boxes of a stretch fill it exactly */
function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    if (to - at < 8) throw unreadable();
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > to) throw unreadable();
    boxes.push({ type: bytes.toString("latin1", at + 4, at + 8), at, from: at + 8, to: at + size });
    at += size;
  }
  return boxes;
}

async function topBoxesOf(file: FileHandle, length: number): Promise<Box[]> {
  const boxes: Box[] = [];
  const head = Buffer.alloc(16);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(head, 0, 16, at);
    if (bytesRead < 8 || boxes.length === mostTopBoxes) throw unreadable();
    const short = head.readUInt32BE(0);
    const isLong = short === 1;
    if (isLong && bytesRead < 16) throw unreadable();
    // 0: to the end of the file.
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? length - at : short;
    const type = head.toString("latin1", 4, 8);
    if (size < (isLong ? 16 : 8) || at + size > length || !topBoxes.has(type)) throw unreadable();
    boxes.push({ type, at, from: at + (isLong ? 16 : 8), to: at + size });
    at += size;
  }
  return boxes;
}

/** Makes a box one of free space, with nothing in it. Its length stays, so that everything else is where it was. */
function empty(bytes: Buffer, { at, from, to }: Box): void {
  bytes.write("free", at + 4, "latin1");
  bytes.fill(0, from, to);
}

/** How long a film plays by its head, s; 0 where it does not say. */
function secondsOf(bytes: Buffer, index: Box): number {
  const head = boxesIn(bytes, index.from, index.to).find(({ type }) => type === "mvhd");
  if (head === undefined) return 0;
  const long = bytes[head.from] === 1;
  if (head.to - head.from < (long ? 32 : 20)) return 0;
  const scale = bytes.readUInt32BE(head.from + (long ? 20 : 12));
  const length = long ? Number(bytes.readBigUInt64BE(head.from + 24)) : bytes.readUInt32BE(head.from + 16);
  const seconds = scale === 0 ? 0 : Math.ceil(length / scale);
  return seconds < 86_400 ? seconds : 0;
}

/** What a track is: `vide`, `soun`, or something that is not played. */
function handlerOf(bytes: Buffer, track: Box): string {
  const media = boxesIn(bytes, track.from, track.to).find(({ type }) => type === "mdia");
  const handler = media && boxesIn(bytes, media.from, media.to).find(({ type }) => type === "hdlr");
  return handler && handler.to - handler.from >= 12
    ? bytes.toString("latin1", handler.from + 8, handler.from + 12)
    : "";
}

/** Takes out what tells of place, time and camera. @returns how many tracks have pictures */
function cleanIndex(bytes: Buffer, from: number, to: number): number {
  let films = 0;
  for (const box of boxesIn(bytes, from, to)) {
    if (metadata.has(box.type)) empty(bytes, box);
    else if (box.type === "trak") {
      const handler = handlerOf(bytes, box);
      if (handler === "vide") films += 1;
      if (handler === "vide" || handler === "soun") cleanIndex(bytes, box.from, box.to);
      // Tracks of places and faces, as some phones write them.
      else empty(bytes, box);
    } else if (holders.has(box.type)) films += cleanIndex(bytes, box.from, box.to);
  }
  return films;
}

/**
 * Holds that a local file is a film that browsers play, and takes metadata out of it, as the coordinates of where it was taken.
 * Pictures and sound stay as they are.
 * @returns its brand, and how long it plays, s, 0 where it does not say
 * @throws {Refusal} 400 when it is none
 */
export async function cleanVideo(path: string): Promise<{ brand: string; seconds: number }> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const boxes = await topBoxesOf(file, size);
    const [first] = boxes;
    const brand = Buffer.alloc(4);
    if (first?.type === "ftyp" && first.to - first.from >= 4) await file.read(brand, 0, 4, first.from);
    const index = boxes.filter(({ type }) => type === "moov");
    if (!brands.test(brand.toString("latin1")) || index.length !== 1 || !boxes.some(({ type }) => type === "mdat"))
      throw unreadable();
    let seconds = 0;
    for (const { type, at, to } of boxes) {
      if (type !== "moov" && !metadata.has(type)) continue;
      if (to - at > mostIndexBytes) throw unreadable();
      const bytes = Buffer.alloc(to - at);
      await file.read(bytes, 0, bytes.length, at);
      const [box] = boxesIn(bytes, 0, bytes.length);
      if (box === undefined) throw unreadable();
      if (type !== "moov") empty(bytes, box);
      else {
        seconds = secondsOf(bytes, box);
        if (cleanIndex(bytes, box.from, box.to) === 0) throw unreadable();
      }
      await file.write(bytes, 0, bytes.length, at);
    }
    return { brand: brand.toString("latin1"), seconds };
  } finally {
    await file.close();
  }
}

/** The first bytes of a WebM film. */
const webmMark = 0x1a45dfa3;

/**
 * Holds that a local file is a film that every browser plays, MP4 or WebM by its content, and takes metadata out of it.
 * @returns which of them, and how long it plays, s, 0 where it does not say
 * @throws {Refusal} 400 when it is none; QuickTime, which few browsers play, is none
 */
export async function cleanFilm(path: string): Promise<{ form: "mp4" | "webm"; seconds: number }> {
  const file = await open(path, "r");
  const head = Buffer.alloc(12);
  try {
    await file.read(head, 0, 12, 0);
  } finally {
    await file.close();
  }
  if (head.readUInt32BE(0) === webmMark) return { form: "webm", seconds: await cleanWebm(path) };
  if (head.toString("latin1", 8, 12) === "qt  ") throw refuse("upload.film_unreadable");
  const { seconds } = await cleanVideo(path);
  return { form: "mp4", seconds };
}
