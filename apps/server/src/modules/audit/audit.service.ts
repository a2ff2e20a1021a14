import type { auditPage, BodyOf, QueryOf } from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "./audit.repository.ts";

type Query = QueryOf<typeof auditPage> & BodyOf<typeof auditPage>;

/** Midnight in Shanghai at the beginning of a day, some days later. */
const dayStart = (day: string | undefined, later = 0): Date | undefined =>
  day ? new Date(shanghaiMidnight(day) + later * 86_400_000) : undefined;

/** Reads the audit trail; changes write it in their own transactions. */
export function createAuditService(repository: AuditRepository) {
  return {
    async page(scope: TenantScope, query: Query) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(
        scope,
        {
          resource: query.resource,
          keyword: query.keyword,
          actions: (query.action ?? "").split(",").filter((action) => action !== ""),
          from: dayStart(query.from),
          to: dayStart(query.to, 1),
        },
        request,
      );
      const entries = rows.map(({ chain, createdAt, ...row }) => ({
        ...row,
        tenantId: chain === installationChain ? "" : chain,
        createTime: createdAt,
      }));
      return pageOfRows(entries, total, request);
    },

    /** Follows every chain that the scope reaches until one breaks. */
    async verify(scope: TenantScope) {
      let entries = 0;
      for (const chain of await repository.chains(scope)) {
        const found = await repository.verify(scope, chain);
        entries += found.entries;
        if (found.broken) return { entries, brokenId: found.broken.id, brokenAt: found.broken.at };
      }
      return { entries };
    },
  };
}
export type AuditService = ReturnType<typeof createAuditService>;
