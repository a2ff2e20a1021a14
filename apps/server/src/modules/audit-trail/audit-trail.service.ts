import type { auditExport, auditPage, BodyOf, QueryOf } from "@herdwise/contract";
import { plainSentence } from "@herdwise/contract/audit-sentence";
import { auditThing } from "@herdwise/contract/audit-words";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import { wireDateTime } from "../../http/present.ts";
import { columnsIn, makeSheetFile, reachedScopeOf, rowsByParts, type WordedColumn } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import { englishOf } from "../../ui-texts.ts";
import {
  type AuditFilter,
  type AuditRepository,
  type AuditRow,
  installationChain,
  type TellEntries,
} from "../audit/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";

type Order = BodyOf<typeof auditExport>;
type Query = Omit<Order, "language">;

export interface AuditTrailDependencies {
  repository: AuditRepository;
  tellEntries: TellEntries;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

const exportKind = "audit.export";
const rowsAtOnce = 500;
const columns: readonly WordedColumn[] = [
  { key: "at", header: { zh: "时间", en: "Time" }, type: "dateTime", width: 20 },
  { key: "actor", header: { zh: "操作人", en: "Person" }, width: 16 },
  { key: "sentence", header: { zh: "经过", en: "What happened" }, width: 90 },
  { key: "address", header: { zh: "地址", en: "Address" }, width: 18 },
];

/** Midnight in Shanghai at the beginning of a day, some days later. */
const dayStart = (day: string | undefined, later = 0): Date | undefined =>
  day ? new Date(shanghaiMidnight(day) + later * 86_400_000) : undefined;

const filterOf = ({ resource, rowId, accountId, keyword, action, from, to }: Query): AuditFilter => ({
  resource,
  rowId,
  accountId,
  keyword,
  actions: (action ?? "").split(",").filter((one) => one !== ""),
  from: dayStart(from),
  to: dayStart(to, 1),
});

/** Reads the audit trail; changes write it in their own transactions. */
export function createAuditTrailService({ repository, tellEntries, jobs, files }: AuditTrailDependencies) {
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", ...query },
    of,
  ) => {
    const scope = reachedScopeOf(reach);
    const filter = filterOf(query);
    const { total } = await repository.page(scope, filter, { offset: 0, limit: 1 });
    async function* rows() {
      const parts = rowsByParts<AuditRow>(of, total, rowsAtOnce, (last) =>
        repository.after(scope, filter, last?.id, rowsAtOnce),
      );
      for await (const row of parts) {
        const [told] = await tellEntries(scope, [row]);
        yield {
          at: wireDateTime(row.createdAt),
          actor: row.actorName,
          sentence: told === undefined ? "" : plainSentence(told.sentence, language),
          address: String(writePersonal("mask-address", row.remoteAddress)),
        };
      }
    }
    const title = language === "zh" ? "操作记录" : "Audit trail";
    return makeSheetFile(files, of, { name: `${title}.xlsx`, columns: columnsIn(language, columns), rows: rows() });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async page(scope: TenantScope, query: QueryOf<typeof auditPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, filterOf(query), request);
      const entries = (await tellEntries(scope, rows)).map(({ chain, createdAt, accountId, changes, ...row }) => ({
        ...row,
        accountId: accountId ?? "",
        changes: [...changes],
        tenantId: chain === installationChain ? "" : chain,
        createTime: createdAt,
      }));
      return pageOfRows(entries, total, request);
    },

    persons: async (scope: TenantScope, query: Query) =>
      (await repository.persons(scope, filterOf(query))).map((row) => ({ ...row, accountId: row.accountId ?? "" })),

    rows: async (scope: TenantScope, query: Query) =>
      (await repository.rows(scope, filterOf(query))).map((row) => {
        const { zh, en } = auditThing(row.resource).one;
        return { ...row, thing: { zh, en: en ?? englishOf(zh) ?? zh } };
      }),

    export: async (scope: TenantScope, order: Order): Promise<{ jobId: string }> => ({
      jobId: await jobs.submit(scope, exportKind, "导出操作记录", { ...order, scope: reachOf(scope) }),
    }),

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
export type AuditTrailService = ReturnType<typeof createAuditTrailService>;
