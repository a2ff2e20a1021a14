/**
 * A minimal writer and reader of tar (ustar, with PAX headers for long or non-ASCII names and files from 8 GiB on), so that the
 * ordinary `tar` can read a backup.
 * Only files and directories: links are refused, because an archive with links can write outside its target.
 */
const blockBytes = 512;
const ustarLimitBytes = 8 * 1024 ** 3;
const longestHeaderBytes = 1024 * 1024;

/** One entry of an archive. */
export interface TarEntry {
  /** Relative path with slashes, without one at the end even for directories. */
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Zero for directories. */
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
  readonly modifiedAt: Date;
}

/** The archive is damaged, truncated, or uses features that this reader does not support. */
export class TarError extends Error {
  override readonly name = "TarError";
}

function octal(value: number, length: number): string {
  return `${Math.trunc(value)
    .toString(8)
    .padStart(length - 1, "0")}\0`;
}

function headerBlock(name: string, type: string, sizeBytes: number, mode: number, modifiedAt: Date): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100, "utf8");
  block.write(octal(mode & 0o7777, 8), 100, "latin1");
  block.write(octal(0, 8), 108, "latin1");
  block.write(octal(0, 8), 116, "latin1");
  block.write(octal(sizeBytes, 12), 124, "latin1");
  block.write(octal(Math.max(0, modifiedAt.getTime() / 1000), 12), 136, "latin1");
  block.write("        ", 148, "latin1");
  block.write(type, 156, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, 148, "latin1");
  return block;
}

/** A PAX line contains its own length, whose number of digits may change the length. */
function paxLine(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}

/** Header of an entry, before its content. */
export function tarHeader(entry: TarEntry): Buffer {
  const name = entry.kind === "directory" ? `${entry.path}/` : entry.path;
  const type = entry.kind === "directory" ? "5" : "0";
  let extra = "";
  if (Buffer.byteLength(name) > 100 || /[^\x20-\x7e]/.test(name)) extra += paxLine("path", name);
  if (entry.sizeBytes >= ustarLimitBytes) extra += paxLine("size", String(entry.sizeBytes));
  if (extra === "") return headerBlock(name, type, entry.sizeBytes, entry.mode, entry.modifiedAt);
  const body = Buffer.from(extra);
  return Buffer.concat([
    headerBlock("PaxHeader", "x", body.length, 0o600, entry.modifiedAt),
    body,
    tarPadding(body.length),
    headerBlock("long-name", type, entry.sizeBytes % ustarLimitBytes, entry.mode, entry.modifiedAt),
  ]);
}

/** Zeros that pad `sizeBytes` of content to a whole block. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

/** End of an archive. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * blockBytes);
}

function readOctal(block: Buffer, start: number, end: number): number {
  const text = block
    .toString("latin1", start, end)
    .replace(/[\0 ]+$/, "")
    .trim();
  if (!/^[0-7]*$/.test(text)) throw new TarError("The archive is damaged: a header holds no number where one belongs");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function readPax(body: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString("latin1", at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at || at + length > body.length) {
      throw new TarError("The archive is damaged: an extended header is malformed");
    }
    const line = body.toString("utf8", space + 1, at + length - 1);
    const equals = line.indexOf("=");
    found.set(line.slice(0, equals), line.slice(equals + 1));
    at += length;
  }
  return found;
}

/** Reads exact lengths from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Reads at least one and at most `limit` bytes. */
  async some(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new TarError("The archive is cut short");
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async drain(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.some(missing);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }
}

/**
 * Reads an archive to its end and calls `use` for each entry in order; content that `use` does not read is skipped.
 * @throws TarError when the archive is damaged, truncated or contains links
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  use: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const reader = new ByteReader(source);
  let extended = new Map<string, string>();
  for (;;) {
    const block = await reader.exactly(blockBytes);
    if (block.every((byte) => byte === 0)) {
      // Reads the source to its end, so that a compressed one verifies its checksum.
      await reader.drain();
      return;
    }
    const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
    if (sum !== readOctal(block, 148, 156))
      throw new TarError("The archive is damaged: a header has a wrong check sum");
    const type = block.toString("latin1", 156, 157);
    let sizeBytes = readOctal(block, 124, 136);
    if (type === "x") {
      if (sizeBytes > longestHeaderBytes) throw new TarError("The archive is damaged: an extended header is too long");
      extended = readPax(await reader.exactly(sizeBytes));
      await reader.exactly(tarPadding(sizeBytes).length);
      continue;
    }
    if (type !== "0" && type !== "5") throw new TarError(`The archive holds an entry of kind "${type}"`);
    const plainName = block.toString("utf8", 0, 100).replace(/\0.*$/s, "");
    const name = extended.get("path") ?? plainName;
    const extendedSize = extended.get("size");
    if (extendedSize !== undefined) sizeBytes = Number(extendedSize);
    extended = new Map();
    if (!Number.isSafeInteger(sizeBytes)) throw new TarError("The archive is damaged: an impossible size");

    let missing = sizeBytes;
    async function* content(): AsyncGenerator<Buffer> {
      while (missing > 0) {
        const part = await reader.some(missing);
        missing -= part.length;
        yield part;
      }
    }
    const entry: TarEntry = {
      path: name.replace(/\/+$/, ""),
      kind: type === "5" ? "directory" : "file",
      sizeBytes,
      mode: readOctal(block, 100, 108) & 0o777,
      modifiedAt: new Date(readOctal(block, 136, 148) * 1000),
    };
    await use(entry, content());
    while (missing > 0) missing -= (await reader.some(missing)).length;
    await reader.exactly(tarPadding(sizeBytes).length);
  }
}
