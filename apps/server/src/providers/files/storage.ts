import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
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
