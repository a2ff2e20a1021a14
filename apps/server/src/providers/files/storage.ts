import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { DriverContract } from "flydrive/types";

/** Where the bytes of files lie. Names are the server's own, never a sender's. */
export interface FileStorage {
  /** Stores a local file. What is there under the name is replaced. */
  put(name: string, path: string, contentType: string): Promise<void>;
  /** @throws when there is none */
  read(name: string): Promise<Readable>;
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

const storageOn = (disk: DriverContract): FileStorage => ({
  put: (name, path, contentType) => disk.putStream(name, createReadStream(path), { contentType }),
  read: (name) => disk.getStream(name),
  remove: (name) => disk.delete(name),
});

/** In a folder of this machine. */
export async function diskStorage(folder: string): Promise<FileStorage> {
  const { FSDriver } = await import("flydrive/drivers/fs");
  return storageOn(new FSDriver({ location: pathToFileURL(`${folder}/`), visibility: "private" }));
}

/** At a service that speaks S3, which several servers share. */
export async function s3Storage({ bucket, endpoint, region, keyId, keySecret }: S3Options): Promise<FileStorage> {
  // Loaded where it is used: the client of S3 is larger than the rest of the server.
  const { S3Driver } = await import("flydrive/drivers/s3");
  return storageOn(
    new S3Driver({
      bucket,
      region,
      // Services of one's own have no host name for each bucket.
      ...(endpoint && { endpoint, forcePathStyle: true }),
      credentials: { accessKeyId: keyId, secretAccessKey: keySecret },
      visibility: "private",
      // Buckets are private; many services know no access lists.
      supportsACL: false,
      // Checksums of the newest kind are unknown to services other than Amazon's.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    }),
  );
}
