import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { wireDate } from "../../http/present.ts";
import type { FileStorage, Stretch } from "../../providers/files/storage.ts";
import type { SiteFileRepository, SiteFileRow } from "./site-file.repository.ts";

/** What the site shows may be pictures, documents, films and their captions, and nothing that a browser runs. */
const contentTypes = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  mp4: "video/mp4",
  webm: "video/webm",
  vtt: "text/vtt; charset=utf-8",
} as const;
export type SiteFileExtension = keyof typeof contentTypes;

/** A file that nothing names for so long was broken off, or is another's by now, s. */
const forgottenAfterS = 3600;

export interface SiteFileDependencies {
  repository: SiteFileRepository;
  storage: () => Promise<FileStorage>;
  now: () => number;
}

/** Files of the public site. They are the installation's: they stay when the person who uploaded them goes. */
export function createSiteFileService({ repository, storage, now }: SiteFileDependencies) {
  return {
    /** Stores a local file that was checked before. The row comes first, so nothing lies there unknown. */
    async keep(path: string, extension: SiteFileExtension): Promise<SiteFileRow> {
      const name = `site/${wireDate(new Date(now())).replaceAll("-", "")}/${randomUUID()}.${extension}`;
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      const row = {
        name,
        contentType: contentTypes[extension],
        sizeBytes: (await stat(path)).size,
        sha256: hash.digest(),
      };
      await repository.insertPending(row);
      await (await storage()).put(name, path, row.contentType);
      await repository.keep(name);
      return row;
    },

    /** @returns undefined when there is no such file */
    async open(name: string): Promise<(SiteFileRow & { content: Readable }) | undefined> {
      const row = await repository.kept(name);
      return row && { ...row, content: await (await storage()).read(name) };
    },

    /** What is known of a file, without its bytes. @returns undefined when there is no such file */
    find: (name: string): Promise<SiteFileRow | undefined> => repository.kept(name),

    /** Bytes of a file that was found. @param stretch a part of them; otherwise all */
    read: async (name: string, stretch?: Stretch): Promise<Readable> => (await storage()).read(name, stretch),

    /** Removes what was broken off while it was stored, and what nothing names any more. */
    async sweep(): Promise<void> {
      const disk = await storage();
      for (const name of await repository.removable(forgottenAfterS))
        for (const gone of await repository.release(name)) await disk.remove(gone);
    },
  };
}
export type SiteFileService = ReturnType<typeof createSiteFileService>;
