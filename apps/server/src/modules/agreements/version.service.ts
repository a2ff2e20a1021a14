import {
  type AgreementState,
  type agreementConsentExport,
  type agreementConsentPage,
  type agreementPage,
  type agreementPublish,
  type agreementSubmit,
  agreementTextLength,
  type BodyOf,
  plainText,
  type QueryOf,
} from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import { wireDateTime } from "../../http/present.ts";
import { columnsIn, makeSheetFile, reachedScopeOf, rowsByParts, type WordedColumn } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { VersionRepository, VersionRow, VersionText } from "./version.repository.ts";

interface VersionParts {
  versions: VersionRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface VersionDependencies {
  versions: VersionRepository;
  inOne<T>(work: (parts: VersionParts) => Promise<T>): Promise<T>;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  nextId: () => string;
  now: () => number;
}

/** What the group's staff do to a version. */
const events = ["edit", "publish", "unschedule", "remove"] as const;
type VersionEvent = (typeof events)[number];
/** From which states; what is not here does not happen. What was published stays as people agreed to it. */
export const versionTransitions: Readonly<Record<AgreementState, readonly VersionEvent[]>> = {
  draft: ["edit", "publish", "remove"],
  scheduled: ["unschedule"],
  current: [],
  past: [],
};

const yearMs = 366 * 86_400_000;
const exportKind = "agreement.consents";
const rowsAtOnce = 1000;
const lengthOf = (text: string): number => [...text].length;
const trimmed = ({ title, summary, body }: VersionText): VersionText => ({
  title: plainText(title),
  summary: plainText(summary, { lines: true }),
  body: plainText(body, { lines: true }),
});

type Language = "zh" | "en";
type Words = Readonly<Record<Language, string>>;
const kindWords: Readonly<Record<VersionRow["kind"], Words>> = {
  user: { zh: "用户协议", en: "User agreement" },
  privacy: { zh: "隐私政策", en: "Privacy policy" },
};
const columns: readonly WordedColumn[] = [
  { key: "account", header: { zh: "登录名", en: "Login name" }, width: 22 },
  { key: "name", header: { zh: "姓名", en: "Name" }, width: 12 },
  { key: "tenants", header: { zh: "所属组织", en: "Organizations" }, width: 36 },
  { key: "kind", header: { zh: "协议", en: "Agreement" }, width: 16 },
  { key: "version", header: { zh: "版本", en: "Version" }, width: 10 },
  { key: "at", header: { zh: "同意时间", en: "Agreed at" }, type: "dateTime", width: 20 },
];

/** @throws {Refusal} where a text is longer than anybody reads */
function requireShort(text: VersionText): void {
  for (const field of ["title", "summary", "body"] as const) {
    const max = agreementTextLength[field];
    if (lengthOf(text[field]) > max) throw refuse("agreements.too_long", { field, values: { max } });
  }
}

/** Versions of the agreements as the group's staff write, publish and look them up. */
export function createVersionService({ versions, inOne, jobs, files, nextId, now }: VersionDependencies) {
  const auditOf = (row: VersionRow, action: AuditRecord["action"], changes: AuditRecord["changes"]): AuditRecord => ({
    resource: "agreement",
    rowId: row.id,
    rowTitle: `${kindWords[row.kind].zh} ${row.version}`,
    action,
    changes,
  });

  /** The version, held, if the event may happen to it as it was read. */
  const held = async (
    parts: VersionParts,
    scope: TenantScope,
    event: VersionEvent,
    { id, rowVersion }: { id: string; rowVersion?: number | undefined },
  ): Promise<VersionRow> => {
    const row = await parts.versions.find(scope, id, true);
    if (row === undefined) throw refuse("agreements.not_found");
    if (!versionTransitions[row.state].includes(event)) throw refuse("agreements.state");
    if (rowVersion !== row.rowVersion) throw refuse("agreements.changed");
    return row;
  };

  const run: BackgroundJobDefinition<BodyOf<typeof agreementConsentExport> & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", ...filter },
    of,
  ) => {
    const scope = reachedScopeOf(reach);
    const { total } = await versions.consents(scope, filter, { offset: 0, limit: 1 });
    async function* rows() {
      const parts = rowsByParts<Awaited<ReturnType<typeof versions.consentsAfter>>[number]>(
        of,
        total,
        rowsAtOnce,
        (last) => versions.consentsAfter(scope, filter, last, rowsAtOnce),
      );
      for await (const { account, contactName, tenants, kind, version, agreeTime } of parts)
        yield {
          account,
          name: String(writePersonal("mask-name", contactName)),
          tenants,
          kind: kindWords[kind][language],
          version,
          at: wireDateTime(agreeTime),
        };
    }
    const title = language === "zh" ? "协议同意记录" : "Consents";
    return makeSheetFile(files, of, { name: `${title}.xlsx`, columns: columnsIn(language, columns), rows: rows() });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async page(scope: TenantScope, { kind, ...query }: QueryOf<typeof agreementPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await versions.page(scope, kind, request);
      return pageOfRows(rows, total, request);
    },

    async detail(scope: TenantScope, id: string) {
      const row = await versions.find(scope, id);
      if (row === undefined) throw refuse("agreements.not_found");
      const previous = await versions.before(row);
      const [texts, earlier] = await Promise.all([
        versions.texts(id),
        previous === undefined ? undefined : versions.texts(previous.id),
      ]);
      const none: VersionText = { title: "", summary: "", body: "" };
      return {
        ...row,
        ...texts,
        previousId: previous?.id ?? "",
        previousVersion: previous?.version ?? "",
        previousZh: earlier?.zh ?? none,
        previousEn: earlier?.en ?? none,
      };
    },

    async submit(scope: TenantScope, body: BodyOf<typeof agreementSubmit>) {
      const [zh, en] = [trimmed(body.zh), trimmed(body.en)];
      const version = body.version.trim();
      const { max } = { max: agreementTextLength.version };
      if (version === "" || lengthOf(version) > max)
        throw refuse("agreements.version", { field: "version", values: { max } });
      for (const text of [zh, en]) requireShort(text);
      return inOne(async (parts) => {
        const row =
          body.id === undefined
            ? undefined
            : await held(parts, scope, "edit", { id: body.id, rowVersion: body.rowVersion });
        const id = row?.id ?? nextId();
        const kind = row?.kind ?? body.kind;
        if (await parts.versions.isUsed(kind, version, id))
          throw refuse("agreements.version_used", { field: "version" });
        if (row === undefined)
          await parts.versions.insert({ id, kind, version, askAgain: body.askAgain, createdBy: scope.accountId });
        else await parts.versions.change(id, { version, askAgain: body.askAgain });
        await parts.versions.saveText(id, "zh", zh);
        await parts.versions.saveText(id, "en", en);
        const after = await parts.versions.find(scope, id);
        if (after === undefined) throw refuse("agreements.not_found");
        await parts.audit.append(
          installationChain,
          scope,
          [
            auditOf(after, row === undefined ? "create" : "update", [
              { field: "version", before: row?.version ?? null, after: version },
              { field: "askAgain", before: row?.askAgain ?? null, after: body.askAgain },
              { field: "title", before: row?.title ?? null, after: zh.title },
            ]),
          ],
          nextId,
        );
        return { id, rowVersion: after.rowVersion };
      });
    },

    async publish(scope: TenantScope, { id, rowVersion, at }: BodyOf<typeof agreementPublish>): Promise<void> {
      const atMs = at === undefined ? undefined : shanghaiMoment(at);
      if (atMs !== undefined && !(atMs > now() && atMs < now() + yearMs))
        throw refuse("agreements.publish_time", { field: "at" });
      await inOne(async (parts) => {
        const row = await held(parts, scope, "publish", { id, rowVersion });
        const previous = await parts.versions.before(row);
        const { zh, en } = await parts.versions.texts(id);
        const isWhole = ({ title, body, summary }: VersionText): boolean =>
          title !== "" && body !== "" && (previous === undefined || summary !== "");
        if (!isWhole(zh) || !isWhole(en)) throw refuse("agreements.incomplete");
        if (previous === undefined && !row.askAgain) throw refuse("agreements.first_asks", { field: "askAgain" });
        await parts.versions.setPublished(id, atMs === undefined ? undefined : new Date(atMs));
        const published = { field: "publishedAt", before: null, after: at ?? wireDateTime(new Date(now())) };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [published])], nextId);
      });
    },

    async unschedule(scope: TenantScope, which: { id: string; rowVersion: number }): Promise<void> {
      await inOne(async (parts) => {
        const row = await held(parts, scope, "unschedule", which);
        await parts.versions.setPublished(row.id, null);
        const before = row.publishedAt === null ? null : wireDateTime(row.publishedAt);
        const change = { field: "publishedAt", before, after: null };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [change])], nextId);
      });
    },

    async remove(scope: TenantScope, which: { id: string; rowVersion: number }): Promise<void> {
      await inOne(async (parts) => {
        const row = await held(parts, scope, "remove", which);
        await parts.versions.remove(row.id);
        await parts.audit.append(installationChain, scope, [auditOf(row, "remove", [])], nextId);
      });
    },

    async consents(
      scope: TenantScope,
      { current, size, ascs, descs, ...filter }: QueryOf<typeof agreementConsentPage>,
    ) {
      const request = pageRequest({ current, size, ascs, descs }, []);
      const { rows, total } = await versions.consents(scope, filter, request);
      return pageOfRows(rows, total, request);
    },

    export: async (scope: TenantScope, order: BodyOf<typeof agreementConsentExport>): Promise<{ jobId: string }> => ({
      jobId: await jobs.submit(scope, exportKind, "导出协议同意记录", { ...order, scope: reachOf(scope) }),
    }),
  };
}
export type VersionService = ReturnType<typeof createVersionService>;
