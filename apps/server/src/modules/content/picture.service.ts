import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { articlePicturePath, uploadRules } from "@herdwise/contract";
import type { TenantScope } from "../../tenant-scope.ts";
import { type ArrivingFile, encodeForPages, type FileService, type SiteFileService } from "../files/index.ts";
import type { PictureRepository } from "./picture.repository.ts";

/** Somebody may write on for days before saving; what no article shows by then is nobody's, s. */
const unusedAfterS = 7 * 86_400;

export interface PictureDependencies {
  repository: PictureRepository;
  files: Pick<FileService, "withReceived" | "withDraft">;
  siteFiles: Pick<SiteFileService, "keep" | "open">;
}

/** Pictures in the bodies of articles: decoded, kept in some widths, and removed when no article shows them. */
export const createPictureService = ({ repository, files, siteFiles }: PictureDependencies) => ({
  /** @throws Refusal 400 for what is no picture, too large, or has too many pixels */
  async upload(scope: TenantScope, file: ArrivingFile) {
    const { width, height, versions } = await files.withReceived(file, uploadRules.picture.maxBytes, encodeForPages);
    const id = randomUUID();
    const kept: { width: number; fileName: string }[] = [];
    for (const version of versions) {
      const { name } = await files.withDraft(async (path) => {
        await writeFile(path, version.bytes, { mode: 0o600 });
        return siteFiles.keep(path, "webp");
      });
      kept.push({ width: version.width, fileName: name });
    }
    await repository.insert({ id, width, height, files: kept }, scope.accountId);
    return { src: articlePicturePath(id, width), width, height };
  },

  /** @returns undefined where there is no such version */
  async open(id: string, width: number) {
    const name = await repository.file(id, width);
    return name === undefined ? undefined : siteFiles.open(name);
  },

  /** Removes pictures that no article shows, now or in a version. */
  async sweep(): Promise<void> {
    await repository.removeUnused(unusedAfterS);
  },
});
export type PictureService = ReturnType<typeof createPictureService>;
