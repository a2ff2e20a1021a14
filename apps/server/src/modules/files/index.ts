import { join } from "node:path";
import type { Platform, ServerModule } from "../../module.ts";
import { type FileStorage, openStorage } from "../../providers/files/storage.ts";
import { memberScope, systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { fileRepository } from "./file.repository.ts";
import { fileContentRoutes, fileRoutes, markCookie, storedFileRoutes } from "./file.routes.ts";
import { createFileService, type FileService } from "./file.service.ts";
import { siteFileRepository } from "./site-file.repository.ts";
import { createSiteFileService, type SiteFileService } from "./site-file.service.ts";
import { storedFileRepository } from "./stored-file.repository.ts";
import { createStoredFileService } from "./stored-file.service.ts";

export { dispositionOf, rangeOf } from "./file.routes.ts";
export type { ArrivingFile, FileService } from "./file.service.ts";
export { drawPicture, encodeForPages, encodeLogo, type Logo } from "./picture.ts";
export type { SiteFileService } from "./site-file.service.ts";
export { cleanFilm } from "./video.ts";

/** Binds tickets to the browser that asked for them. */
export const ticketCookie = { name: markCookie, path: "/files" } as const;

const savedByStaff = systemScope("staff with the right save files of everybody; the audit trail says who took which");

export interface FilesModule extends ServerModule {
  readonly service: FileService;
  /** Files of the public site. */
  readonly siteFiles: SiteFileService;
}

export function createFilesModule(
  { config, kysely, inTransaction, store, secretKey, nextId, now, warn }: Platform,
  { identity }: { identity: Pick<IdentityService, "activeSessions" | "authenticate"> },
): FilesModule {
  let opened: Promise<FileStorage> | undefined;
  const storage = () => {
    opened ??= openStorage(config);
    return opened;
  };
  const service = createFileService({
    repository: fileRepository(kysely),
    storage,
    store,
    incomingFolder: join(config.dataDir, "incoming"),
    filesUrl: `${config.publicUrl}/files`,
    secretKey,
    nextId,
    now,
    activeSessions: identity.activeSessions,
    onError: warn("a file was not removed"),
  });
  const stored = createStoredFileService({
    repository: storedFileRepository(kysely),
    inTransaction: inTransaction((db) => ({ files: storedFileRepository(db), audit: auditRepository(db) })),
    destroy: service.destroy,
    ticketFor: (session, owner, id) => service.ticketOf(session, memberScope(savedByStaff, owner), id),
    nextId,
  });
  const siteFiles = createSiteFileService({ repository: siteFileRepository(kysely), storage, now });
  return {
    service,
    siteFiles,
    routes(router, http) {
      fileRoutes(router, service);
      storedFileRoutes(router, stored);
      fileContentRoutes(http, router, service, identity.authenticate);
    },
    jobs: [
      { name: "files.sweep", schedule: "*/10 * * * *", retries: 0, timeoutS: 300, run: () => service.sweep() },
      { name: "files.sweep-site", schedule: "25 3 * * *", retries: 0, timeoutS: 300, run: () => siteFiles.sweep() },
    ],
    start: () => service.clearIncoming(),
  };
}
