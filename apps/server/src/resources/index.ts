import { type ResourceDeclaration, sheetFormOf } from "@herdwise/contract";
import type { Platform, ServerModule } from "../module.ts";
import { auditRepository, type TellEntries } from "../modules/audit/index.ts";
import type { BackgroundJobService } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import { importRepository } from "./import.repository.ts";
import { createImportService } from "./import.service.ts";
import { type DatabaseHandle, resourceRepository } from "./resource.repository.ts";
import { resourceRoutes, sheetRoutes } from "./resource.routes.ts";
import { createResourceService, type ResourceService } from "./resource.service.ts";
import type { ResourceHooks } from "./resource-hooks.ts";

export { type ImportRepository, importRepository } from "./import.repository.ts";
export { createImportService } from "./import.service.ts";
export { rangesOf } from "./import-check.ts";
export { problemsOf } from "./import-write.ts";
export { ownScopeOf, reachedScopeOf } from "./job-scope.ts";
export {
  columnOf,
  type DatabaseHandle,
  resourceRepository,
  type StoredRow,
  violationOf,
} from "./resource.repository.ts";
export { importRoutes, scoped, submitKeyOf } from "./resource.routes.ts";
export { invalid, type ResourceService, referenceProblems, uniqueProblem } from "./resource.service.ts";
export { resourceFinders } from "./resource-finder.ts";
export type { ResourceHooks } from "./resource-hooks.ts";
export { columnsOf, defaultsOf, readValues } from "./resource-values.ts";
export { columnsIn, makeSheetFile, rowsByParts, sheetNamed, type WordedColumn } from "./sheet-file.ts";
export { cellOf, dayOf, fenOf, headingOf, optionsFrom, readCells } from "./sheet-values.ts";

export interface ResourceModule extends ServerModule {
  readonly of: ResourceDeclaration;
  readonly service: ResourceService;
  /** The same service within the transaction of another module. */
  serviceIn(transaction: DatabaseHandle): ResourceService;
}

/** Dependencies of every resource. */
export interface ResourceContext {
  readonly platform: Platform;
  readonly jobs: BackgroundJobService;
  readonly files: FileService;
  readonly tellEntries: TellEntries;
}

/** Options that a module gives for a resource. */
export interface ResourceOptions<Extra> {
  hooks?: ResourceHooks<Extra>;
  /** Repositories for the hooks, on the pool or on the transaction of the change. */
  extra?: (db: DatabaseHandle) => Extra;
}

/** The server's part of a resource, made from its declaration. */
export function resourceModule<Extra = undefined>(
  { platform, ...services }: ResourceContext,
  of: ResourceDeclaration,
  { hooks, extra }: ResourceOptions<Extra> = {},
): ResourceModule {
  const { kysely, personalCipher, nextId } = platform;
  const extraOf = (db: DatabaseHandle): Extra => (extra ? extra(db) : (undefined as Extra));
  const serviceOn = (
    db: DatabaseHandle,
    inTransaction: <T>(work: (transaction: DatabaseHandle) => Promise<T>) => Promise<T>,
  ): ResourceService =>
    createResourceService<Extra>(of, {
      rows: resourceRepository(db, of),
      audit: auditRepository(db),
      tellEntries: services.tellEntries,
      extra: extraOf(db),
      inTransaction: (work) =>
        inTransaction((transaction) =>
          work(
            { rows: resourceRepository(transaction, of), audit: auditRepository(transaction) },
            extraOf(transaction),
          ),
        ),
      cipher: personalCipher,
      nextId,
      ...(hooks && { hooks }),
    });
  const committed = async <T>(work: (transaction: DatabaseHandle) => Promise<T>): Promise<T> => {
    const answer = await kysely.transaction().execute(work);
    hooks?.changed?.();
    return answer;
  };
  const service = serviceOn(kysely, committed);
  const form = sheetFormOf(of);
  const repositoriesOf = (db: DatabaseHandle) => ({
    rows: resourceRepository(db, form),
    audit: auditRepository(db),
    imports: importRepository(db, form),
  });
  const sheets =
    of.sheets === undefined
      ? undefined
      : createImportService<Extra>(form, {
          ...repositoriesOf(kysely),
          inTransaction: (work) => committed((transaction) => work(repositoriesOf(transaction), extraOf(transaction))),
          cipher: personalCipher,
          nextId,
          extra: extraOf(kysely),
          jobs: services.jobs,
          files: services.files,
          ...(hooks && { hooks }),
          ...(form !== of && { listed: { of, rows: resourceRepository(kysely, of) } }),
        });
  return {
    of,
    service,
    serviceIn: (transaction) => serviceOn(transaction, (work) => work(transaction)),
    routes(router) {
      resourceRoutes(router, of, service);
      if (sheets) sheetRoutes(router, of, sheets);
    },
    jobs: sheets?.jobs.map((job) => services.jobs.define(job)) ?? [],
  };
}
