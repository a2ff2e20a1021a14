import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { DriverContract } from "flydrive/types";

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A stretch of what a stream gives; the rest is not read. */
async function* stretchOf(content: Readable, { start, end }: Stretch): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > end) return;
  }
}

/** Where the bytes of files lie. Names are the server's own, never a sender's. */
export interface FileStorage {
  /** Stores a local file. What is there under the name is replaced. */
  put(name: string, path: string, contentType: string): Promise<void>;
  /** @param stretch a part of it, both ends included, bytes; otherwise all @throws when there is none */
  read(name: string, stretch?: Stretch): Promise<Readable>;
  /** Removes a file; it need not exist. */
  remove(name: string): Promise<void>;
}

export interface S3Options {
  readonly bucket: string;
  /** Address of the service; default: Amazon's of the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly keyId: string;
  readonly keySecret: string;
}

/** @param readStretch reads a part of a file from where it begins: a player that jumps to the end of a film waits for nothing before it */
const storageOn = (
  disk: DriverContract,
  readStretch: (name: string, stretch: Stretch) => Promise<Readable>,
): FileStorage => ({
  put: (name, path, contentType) => disk.putStream(name, createReadStream(path), { contentType }),
  read: (name, stretch) => (stretch === undefined ? disk.getStream(name) : readStretch(name, stretch)),
  remove: (name) => disk.delete(name),
});

/** In a folder of this machine. */
export async function diskStorage(folder: string): Promise<FileStorage> {
  const { FSDriver } = await import("flydrive/drivers/fs");
  return storageOn(
    new FSDriver({ location: pathToFileURL(`${folder}/`), visibility: "private" }),
    async (name, { start, end }) => (await open(join(folder, name))).createReadStream({ start, end }),
  );
}

/** At a service that speaks S3, which several servers share. */
export async function s3Storage({ bucket, endpoint, region, keyId, keySecret }: S3Options): Promise<FileStorage> {
  // Loaded where it is used: the client of S3 is larger than the rest of the server.
  const [{ S3Driver }, { GetObjectCommand, S3Client }] = await Promise.all([
    import("flydrive/drivers/s3"),
    import("@aws-sdk/client-s3"),
  ]);
  const client = new S3Client({
    region,
    // Services of one's own have no host name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: keyId, secretAccessKey: keySecret },
    // Checksums of the newest kind are unknown to services other than Amazon's.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  // Buckets are private; many services know no access lists.
  const disk = new S3Driver({ client, bucket, visibility: "private", supportsACL: false });
  return storageOn(disk, async (name, { start, end }) => {
    const { Body, ContentRange } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: name, Range: `bytes=${start}-${end}` }),
    );
    const content = Body as Readable;
    // A service may answer with the whole, by what HTTP allows.
    return ContentRange === undefined ? Readable.from(stretchOf(content, { start, end })) : content;
  });
}

/** The store that the configuration names. */
export const openStorage = ({ s3, dataDir }: { s3?: S3Options; dataDir: string }): Promise<FileStorage> =>
  s3 === undefined ? diskStorage(join(dataDir, "files")) : s3Storage(s3);

/** A store that has not done everything within this time is down, ms. */
const trialMs = 8000;

/** What a store says of a fault: its client wraps the words of the service, which name no secrets. */
function faultOf(error: unknown): string {
  const { cause = error } = error as Error;
  const { name, message } = cause as Error;
  return [name === "Error" ? "" : name, message].filter((text) => text !== "").join(": ");
}

/**
 * Stores a small file, reads it again and removes it.
 * @throws {Error} in the store's words when one of these fails, or all of them take more than 8 s
 */
export async function tryStorage(storage: FileStorage): Promise<void> {
  const name = `trial/${randomUUID()}`;
  const folder = await mkdtemp(join(tmpdir(), "herdwise-trial-"));
  const path = join(folder, "trial");
  const work = async (): Promise<void> => {
    await writeFile(path, name);
    await storage.put(name, path, "text/plain");
    const read = await buffer(await storage.read(name));
    await storage.remove(name);
    if (read.toString() !== name) throw new Error("the store gave back something else");
  };
  const late = new AbortController();
  const limit = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the store did not answer within ${trialMs / 1000} s`)), trialMs);
    late.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  try {
    await Promise.race([work(), limit]);
  } catch (error) {
    throw new Error(faultOf(error));
  } finally {
    late.abort();
    await rm(folder, { recursive: true, force: true });
  }
}
