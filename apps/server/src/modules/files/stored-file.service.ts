import type { QueryOf, storedFilePage } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import { nameKey, type StoredFileRepository, type StoredFileRow } from "./stored-file.repository.ts";

interface Parts {
  files: StoredFileRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface StoredFileDependencies {
  repository: StoredFileRepository;
  inTransaction<T>(work: (parts: Parts) => Promise<T>): Promise<T>;
  /** Removes the bytes and rows of released files. */
  destroy(names: readonly string[]): Promise<void>;
  ticketFor(
    session: Session,
    owner: { accountId: string; tenantId: string },
    id: string,
  ): Promise<{ url: string; expiresIn: number; browserMark: string }>;
  nextId: () => string;
}

const recordOf = (file: StoredFileRow, action: "remove" | "view"): AuditRecord => ({
  resource: "attachment",
  rowId: file.id,
  rowTitle: file.originalName,
  action,
  changes:
    action === "view"
      ? []
      : [
          { field: "attachSize", before: file.attachSize, after: "" },
          { field: "owner", before: file.personName, after: "" },
        ],
});

/** Files of everybody: what refers to them, how much they take, and removing those that nobody refers to. */
export function createStoredFileService({
  repository,
  inTransaction,
  destroy,
  ticketFor,
  nextId,
}: StoredFileDependencies) {
  return {
    async page(scope: TenantScope, query: QueryOf<typeof storedFilePage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, query, request);
      const uses = await repository.uses(
        scope,
        rows.flatMap(({ id, name }) => [id, nameKey(name)]),
      );
      const files = rows.map(({ name, tenantId: _tenant, accountId: _account, ...row }) => ({
        ...row,
        uses: uses.filter(({ key }) => key === row.id || key === nameKey(name)).map(({ key: _key, ...use }) => use),
      }));
      return pageOfRows(files, total, request);
    },

    totals: async (scope: TenantScope) =>
      (await repository.totals(scope)).map(({ bytes, unusedBytes, ...of }) => ({
        ...of,
        bytes: Number(bytes),
        unusedBytes: Number(unusedBytes),
      })),

    /** @throws Refusal 404, 409 where something refers to one of them: then none is removed */
    async remove(scope: TenantScope, ids: string | undefined): Promise<{ removed: number }> {
      const wanted = [...new Set(readSomeIds(ids))];
      const gone = await inTransaction(async ({ files, audit }) => {
        const held = await files.hold(scope, wanted);
        if (held.length !== wanted.length) throw refuse("files.not_found");
        const used = held.find((file) => file.used);
        if (used) throw refuse("files.in_use", { values: { name: used.originalName } });
        await files.release(scope, wanted);
        for (const [tenantId, of] of Map.groupBy(held, (file) => file.tenantId))
          await audit.append(
            tenantId,
            scope,
            of.map((file) => recordOf(file, "remove")),
            nextId,
          );
        return held;
      });
      await destroy(gone.map(({ name }) => name));
      return { removed: gone.length };
    },

    /** A ticket for somebody's file; the trail says who took it. @throws Refusal 404 */
    async open(session: Session, scope: TenantScope, id: string) {
      const file = await inTransaction(async ({ files, audit }) => {
        const found = await files.find(scope, id);
        if (found === undefined) throw refuse("files.not_found");
        await audit.append(found.tenantId, scope, [recordOf(found, "view")], nextId);
        return found;
      });
      const { accountId, tenantId } = file;
      return ticketFor(session, { accountId, tenantId }, id);
    },
  };
}
export type StoredFileService = ReturnType<typeof createStoredFileService>;
