import { type FileHandle, open } from "node:fs/promises";
import { refuse } from "../../http/errors.ts";

/** Elements of EBML (RFC 8794) and Matroska (RFC 9559) that are looked at. */
const ids = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  codec: 0x86,
  trackName: 0x536e,
  encodings: 0x6d80,
  cluster: 0x1f43b675,
  tags: 0x1254c367,
  attachments: 0x1941a469,
  chapters: 0x1043a770,
  seekHead: 0x114d9b74,
  cues: 0x1c53bb6b,
  filler: 0xec,
  checksum: 0xbf,
} as const;
const ofSegment = new Set<number>([
  ids.info,
  ids.tracks,
  ids.cluster,
  ids.tags,
  ids.attachments,
  ids.chapters,
  ids.seekHead,
  ids.cues,
  ids.filler,
  ids.checksum,
]);
/** Who filmed what, where and when: nothing of it is played. Checksums go with what they were made of. */
const emptied = new Set<number>([ids.tags, ids.attachments, ids.chapters, ids.checksum]);
/** Of the head of a recording: title, date, names of files and of what wrote it. What is left is how long it is. */
const keptOfInfo = new Set<number>([ids.timestampScale, ids.duration]);
/** What WebM may hold, and browsers play. */
const codecs = /^(V_VP8|V_VP9|V_AV1|A_OPUS|A_VORBIS)$/;
const pictures = 1;
const sound = 2;
/** Head, Info and Tracks of a film are some hundred bytes. */
const mostHeadBytes = 1024 * 1024;
/** Words about a film, and a picture of it at most. */
const mostEmptiedBytes = 8 * 1024 * 1024;
const mostElements = 500_000;

interface Element {
  id: number;
  /** Where it begins, and where what it holds begins and ends. */
  at: number;
  from: number;
  /** Undefined where the recorder did not know it yet. */
  to: number | undefined;
}

const unreadable = () => refuse("upload.film_unreadable");

/** Reads the head of the element at a place. @throws {Refusal} where there is none */
function elementAt(bytes: Buffer, offset: number, at: number, end: number): Element {
  const first = bytes[offset] ?? 0;
  const idLength = Math.clz32(first) - 23;
  const second = bytes[offset + idLength] ?? 0;
  const sizeLength = Math.clz32(second) - 23;
  if (first === 0 || second === 0 || idLength > 4 || offset + idLength + sizeLength > bytes.length) throw unreadable();
  const id = bytes.readUIntBE(offset, idLength);
  let size = second & (0xff >> sizeLength);
  let unknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index += 1) {
    const byte = bytes[offset + idLength + index] ?? 0;
    unknown &&= byte === 0xff;
    size = size * 256 + byte;
  }
  const from = at + idLength + sizeLength;
  if (!unknown && (size > end - from || from > end)) throw unreadable();
  return { id, at, from, to: unknown ? undefined : from + size };
}

/** Elements of a stretch that is in memory; they fill it exactly. @throws {Refusal} otherwise */
function elementsIn(bytes: Buffer, from: number, to: number): (Element & { to: number })[] {
  const found: (Element & { to: number })[] = [];
  for (let at = from; at < to; ) {
    const one = elementAt(bytes, at, at, to);
    if (one.to === undefined) throw unreadable();
    found.push({ ...one, to: one.to });
    at = one.to;
  }
  return found;
}

/** An element of nothing, of a given length: what is behind it stays where it is. @throws {Refusal} where it is too short for one */
function fillerOf(length: number): Buffer {
  if (length < 2) throw unreadable();
  const filler = Buffer.alloc(length);
  filler[0] = ids.filler;
  if (length - 2 < 0x7f) filler[1] = 0x80 | (length - 2);
  else {
    // A length of eight bytes.
    filler[1] = 0x01;
    filler.writeUIntBE(length - 9, 3, 6);
  }
  return filler;
}
const empty = (bytes: Buffer, { at, to }: { at: number; to: number }): void => {
  fillerOf(to - at).copy(bytes, at);
};

const numberOf = (bytes: Buffer, { from, to }: { from: number; to: number }): number => {
  if (to - from > 6) throw unreadable();
  return to === from ? 0 : bytes.readUIntBE(from, to - from);
};

/** Takes out what tells of whom and when. @returns how long it plays, s; 0 where it does not say */
function cleanInfo(bytes: Buffer, from: number): number {
  let scale = 1_000_000;
  let duration = 0;
  for (const one of elementsIn(bytes, from, bytes.length)) {
    if (one.id === ids.timestampScale) scale = numberOf(bytes, one);
    else if (one.id === ids.duration) {
      if (one.to - one.from === 4) duration = bytes.readFloatBE(one.from);
      else if (one.to - one.from === 8) duration = bytes.readDoubleBE(one.from);
      else throw unreadable();
    }
    if (!keptOfInfo.has(one.id)) empty(bytes, one);
  }
  const seconds = Math.ceil((duration * scale) / 1e9);
  return seconds > 0 && seconds < 86_400 ? seconds : 0;
}

/** Takes out tracks that are neither pictures nor sound. @returns how many have pictures */
function cleanTracks(bytes: Buffer, from: number): number {
  let films = 0;
  for (const track of elementsIn(bytes, from, bytes.length)) {
    if (track.id !== ids.trackEntry) {
      empty(bytes, track);
      continue;
    }
    const parts = elementsIn(bytes, track.from, track.to);
    const type = parts.find(({ id }) => id === ids.trackType);
    const kind = type ? numberOf(bytes, type) : 0;
    if (kind !== pictures && kind !== sound) {
      empty(bytes, track);
      continue;
    }
    const codec = parts.find(({ id }) => id === ids.codec);
    // What is packed or locked is nothing that a browser plays.
    if (
      !codec ||
      !codecs.test(bytes.toString("latin1", codec.from, codec.to)) ||
      parts.some(({ id }) => id === ids.encodings)
    )
      throw unreadable();
    for (const part of parts) if (part.id === ids.trackName || part.id === ids.checksum) empty(bytes, part);
    if (kind === pictures) films += 1;
  }
  return films;
}

/** Where a cluster of unknown length ends: at what is no part of a cluster. */
async function endOfCluster(file: FileHandle, from: number, end: number, count: () => void): Promise<number> {
  for (let at = from; at < end; ) {
    count();
    const one = await readElement(file, at, end);
    if (ofSegment.has(one.id) && one.id !== ids.filler && one.id !== ids.checksum) return at;
    if (one.to === undefined) throw unreadable();
    at = one.to;
  }
  return end;
}

async function readElement(file: FileHandle, at: number, end: number): Promise<Element> {
  const head = Buffer.alloc(12);
  const { bytesRead } = await file.read(head, 0, 12, at);
  return elementAt(head.subarray(0, bytesRead), 0, at, end);
}

/**
 * Holds that a local file is a WebM film that browsers play, and takes metadata out of it. Pictures and sound stay as they are, and
 * where they are.
 * @returns how long it plays, s; 0 where it does not say, as with what a browser recorded
 * @throws {Refusal} 400 when it is none
 */
export async function cleanWebm(path: string): Promise<number> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const loaded = async ({ from, to }: { from: number; to: number }): Promise<Buffer> => {
      if (to - from > mostHeadBytes) throw unreadable();
      const bytes = Buffer.alloc(to - from);
      await file.read(bytes, 0, bytes.length, from);
      return bytes;
    };
    const head = await readElement(file, 0, size);
    if (head.id !== ids.head || head.to === undefined) throw unreadable();
    const headBytes = await loaded({ from: head.from, to: head.to });
    const docType = elementsIn(headBytes, 0, headBytes.length).find(({ id }) => id === ids.docType);
    if (!docType || headBytes.toString("latin1", docType.from, docType.to) !== "webm") throw unreadable();
    const segment = await readElement(file, head.to, size);
    // One recording, and nothing behind it.
    if (segment.id !== ids.segment || (segment.to ?? size) !== size) throw unreadable();

    let elements = 0;
    const count = (): void => {
      elements += 1;
      if (elements > mostElements) throw unreadable();
    };
    let films = 0;
    let clusters = 0;
    let seconds = 0;
    for (let at = segment.from; at < size; ) {
      count();
      const one = await readElement(file, at, size);
      if (!ofSegment.has(one.id)) throw unreadable();
      if (one.to === undefined && one.id !== ids.cluster) throw unreadable();
      const to = one.to ?? (await endOfCluster(file, one.from, size, count));
      if (one.id === ids.cluster) clusters += 1;
      else if (emptied.has(one.id)) await writeFiller(file, one.at, to);
      else if (one.id === ids.info || one.id === ids.tracks) {
        const bytes = await loaded({ from: one.at, to });
        if (one.id === ids.info) seconds = cleanInfo(bytes, one.from - one.at);
        else films += cleanTracks(bytes, one.from - one.at);
        await file.write(bytes, 0, bytes.length, one.at);
      }
      at = to;
    }
    if (films === 0 || clusters === 0) throw unreadable();
    return seconds;
  } finally {
    await file.close();
  }
}

/** Writes nothing over a stretch. @throws {Refusal} where it is larger than what such things are */
async function writeFiller(file: FileHandle, at: number, to: number): Promise<void> {
  if (to - at > mostEmptiedBytes) throw unreadable();
  const filler = fillerOf(to - at);
  await file.write(filler, 0, filler.length, at);
}
