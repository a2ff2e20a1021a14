import {
  type AnnouncementEvent,
  type announcementPage,
  type announcementReach,
  type announcementReceiptExport,
  type announcementReceiptPage,
  announcementReminderHours,
  type announcementSchedule,
  type announcementSubmit,
  announcementTargets,
  announcementTextLength,
  announcementTransitions,
  type BodyOf,
  plainText,
  type QueryOf,
} from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import { wireDateTime } from "../../http/present.ts";
import { columnsIn, makeSheetFile, rowsByParts, type WordedColumn } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type {
  AnnouncementRepository,
  AnnouncementRow,
  AnnouncementTexts,
  Conditions,
  ReceiptRow,
  Target,
} from "./announcement.repository.ts";

interface AnnouncementParts {
  announcements: AnnouncementRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface AnnouncementDependencies {
  announcements: AnnouncementRepository;
  inOne<T>(work: (parts: AnnouncementParts) => Promise<T>): Promise<T>;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  nextId: () => string;
  now: () => number;
}

const yearMs = 366 * 86_400_000;
/** People who get it in one transaction. */
const together = 1000;
/** One slash, then anything that stays inside the portal. */
const insideForm = /^\/(?![/\\])[^\s\\]*$/;
const lengthOf = (text: string): number => [...text].length;

const audited = [
  "title",
  "content",
  "endTime",
  "audience",
  "tenantKinds",
  "regionCodes",
  "farmIds",
  "tenantIds",
  "roleAliases",
] as const;
const exportKind = "announcement.receipts";
const receiptColumns: readonly WordedColumn[] = [
  { key: "name", header: { zh: "姓名", en: "Name" }, width: 12 },
  { key: "account", header: { zh: "登录名", en: "Login name" }, width: 22 },
  { key: "tenants", header: { zh: "所属组织", en: "Organizations" }, width: 36 },
  { key: "read", header: { zh: "阅读时间", en: "Read at" }, type: "dateTime", width: 20 },
  { key: "reminded", header: { zh: "提醒时间", en: "Reminded at" }, type: "dateTime", width: 20 },
];
/** Lists of a chosen audience whose rows are looked up, with what is said where one is not known. */
const lookedUp = {
  regionCodes: "announcements.regions",
  farmIds: "announcements.farms",
  tenantIds: "announcements.tenants",
  roleAliases: "announcements.roles",
} as const satisfies Partial<Record<keyof Conditions, string>>;
const nobody: Conditions = { tenantKinds: [], regionCodes: [], farmIds: [], tenantIds: [], roleAliases: [] };

/** What the group tells many: written, scheduled, sent to each once, taken back. */
export function createAnnouncementService({
  announcements,
  inOne,
  jobs,
  files,
  nextId,
  now,
}: AnnouncementDependencies) {
  const auditOf = (
    { id, title }: Pick<AnnouncementRow, "id" | "title">,
    action: AuditRecord["action"],
    changes: AuditRecord["changes"],
  ): AuditRecord => ({ resource: "announcement", rowId: id, rowTitle: title, action, changes });

  /** The announcement, held, if the event may happen to it as it was read. */
  const held = async (
    parts: AnnouncementParts,
    event: AnnouncementEvent,
    { id, version }: { id: string; version?: number | undefined },
  ): Promise<AnnouncementRow> => {
    const row = await parts.announcements.find(id, true);
    if (row === undefined) throw refuse("announcements.not_found");
    if (announcementTransitions[row.state][event] === undefined) throw refuse("announcements.state");
    if (version !== row.version) throw refuse("announcements.changed");
    return row;
  };

  const targetOf = async ({ audience, ...lists }: BodyOf<typeof announcementReach>): Promise<Target> => {
    if (audience !== "chosen") return { audience, ...nobody };
    const target = {
      audience,
      ...(Object.fromEntries(
        (Object.keys(nobody) as (keyof Conditions)[]).map((name) => [name, [...new Set<string>(lists[name] ?? [])]]),
      ) as Record<keyof Conditions, never[]>),
    };
    if (Object.keys(nobody).every((name) => target[name as keyof Conditions].length === 0))
      throw refuse("announcements.chosen", { field: "audience" });
    const known = await announcements.known(target);
    for (const [field, reason] of Object.entries(lookedUp)) {
      const name = field as keyof typeof lookedUp;
      if (known[name] !== target[name].length) throw refuse(reason, { field });
    }
    return target;
  };

  /** @throws {Refusal} for an end that is not after `fromMs`, or too far away */
  const requireEnd = (endTime: Date, fromMs: number): void => {
    if (!(endTime.getTime() > fromMs && endTime.getTime() < now() + 2 * yearMs))
      throw refuse("announcements.end", { field: "endTime" });
  };

  const textsOf = async (body: BodyOf<typeof announcementSubmit>): Promise<AnnouncementTexts> => {
    const { title: longestTitle, content: longestContent, link: longestLink } = announcementTextLength;
    const [title, content] = [plainText(body.title), plainText(body.content, { lines: true })];
    const [titleEn, contentEn] = [plainText(body.titleEn ?? ""), plainText(body.contentEn ?? "", { lines: true })];
    const link = (body.link ?? "").trim();
    if (title === "" || lengthOf(title) > longestTitle)
      throw refuse("announcements.title", { field: "title", values: { max: longestTitle } });
    if (lengthOf(titleEn) > longestTitle * 2)
      throw refuse("announcements.title", { field: "titleEn", values: { max: longestTitle * 2 } });
    if (content === "" || lengthOf(content) > longestContent)
      throw refuse("announcements.content", { field: "content", values: { max: longestContent } });
    if (lengthOf(contentEn) > longestContent * 2)
      throw refuse("announcements.content", { field: "contentEn", values: { max: longestContent * 2 } });
    if (link !== "" && (lengthOf(link) > longestLink || !insideForm.test(link)))
      throw refuse("announcements.link", { field: "link" });
    const { category } = body;
    const endTime = body.endTime ? new Date(shanghaiMoment(body.endTime)) : null;
    if (endTime !== null) requireEnd(endTime, now());
    return {
      title,
      content,
      titleEn,
      contentEn,
      link,
      endTime,
      ...(category !== undefined && { category }),
      ...(await targetOf(body)),
    };
  };

  /** A part of the next one that is due. @returns whether there may be more */
  const sendSome = (): Promise<boolean> =>
    inOne(async ({ announcements: held }) => {
      const due = await held.takeDue(new Date(now()));
      if (due === undefined) return false;
      if (due.state === "scheduled") await held.move(due.id, "sending");
      const receivers = await held.receiversAfter(due, due.lastAccountId, together);
      const last = receivers.at(-1);
      if (last !== undefined) {
        await held.deliver(
          due,
          receivers.map((accountId) => ({ id: nextId(), accountId })),
        );
        await held.reached(due.id, last);
      }
      if (receivers.length < together) await held.move(due.id, "sent");
      return true;
    });

  /** A part of the next one whose readers are reminded. @returns whether there may be more */
  const remindSome = (): Promise<boolean> =>
    inOne(async ({ announcements: held }) => {
      const of = await held.takeReminding();
      if (of?.remindTime == null) return false;
      const { ids } = await held.toRemind(of, of.remindTime, together);
      await held.remind(
        of,
        of.remindTime,
        ids.map((accountId) => ({ id: nextId(), accountId })),
      );
      if (ids.length < together) await held.setReminding(of.id, undefined);
      return true;
    });

  const run: BackgroundJobDefinition<BodyOf<typeof announcementReceiptExport>>["run"] = async (
    { language = "zh", ...filter },
    of,
  ) => {
    const { total } = await announcements.receipts(filter, { offset: 0, limit: 1 });
    async function* rows() {
      const parts = rowsByParts<ReceiptRow>(of, total, together, (last) =>
        announcements.receiptsAfter(filter, last, together),
      );
      for await (const { account, contactName, tenants, readTime, remindTime } of parts)
        yield {
          account,
          name: String(writePersonal("mask-name", contactName)),
          tenants,
          read: readTime && wireDateTime(readTime),
          reminded: remindTime && wireDateTime(remindTime),
        };
    }
    const title = language === "zh" ? "公告收到的人" : "Receivers of an announcement";
    return makeSheetFile(files, of, {
      name: `${title}.xlsx`,
      columns: columnsIn(language, receiptColumns),
      rows: rows(),
    });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async receipts({ current, size, ascs, descs, ...filter }: QueryOf<typeof announcementReceiptPage>) {
      const request = pageRequest({ current, size, ascs, descs }, []);
      const { rows, total } = await announcements.receipts(filter, request);
      return pageOfRows(rows, total, request);
    },

    export: async (
      scope: TenantScope,
      order: BodyOf<typeof announcementReceiptExport>,
    ): Promise<{ jobId: string }> => ({
      jobId: await jobs.submit(scope, exportKind, "导出公告收到的人", order),
    }),

    /** @throws {Refusal} 409 where it is not sent, was reminded of lately, or everybody has read it */
    remind: (scope: TenantScope, which: { id: string; version: number }): Promise<{ receivers: number }> =>
      inOne(async (parts) => {
        const row = await held(parts, "remind", which);
        const at = new Date(now());
        if (row.remindTime !== null && at.getTime() - row.remindTime.getTime() < announcementReminderHours * 3_600_000)
          throw refuse("announcements.reminded", { values: { hours: announcementReminderHours } });
        const { total } = await parts.announcements.toRemind(row, at, 1);
        if (total === 0) throw refuse("announcements.all_read");
        await parts.announcements.setReminding(row.id, at);
        const change = {
          field: "remindTime",
          before: row.remindTime === null ? null : wireDateTime(row.remindTime),
          after: wireDateTime(at),
        };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [change])], nextId);
        return { receivers: total };
      }),

    async page({ state, ...query }: QueryOf<typeof announcementPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await announcements.page(state, request);
      return pageOfRows(rows, total, request);
    },

    async detail(id: string): Promise<AnnouncementRow> {
      const row = await announcements.find(id);
      if (row === undefined) throw refuse("announcements.not_found");
      return row;
    },

    farms: (keyword: string | undefined) => announcements.farms(keyword?.trim(), announcementTargets),

    tenants: (keyword: string | undefined) => announcements.tenants(keyword?.trim(), announcementTargets),

    reach: async (body: BodyOf<typeof announcementReach>) => announcements.reach(await targetOf(body)),

    async submit(scope: TenantScope, body: BodyOf<typeof announcementSubmit>) {
      const texts = await textsOf(body);
      return inOne(async (parts) => {
        const row =
          body.id === undefined ? undefined : await held(parts, "edit", { id: body.id, version: body.version });
        const id = row?.id ?? nextId();
        if (row === undefined) await parts.announcements.insert(id, scope.accountId, texts);
        else await parts.announcements.change(id, texts);
        const said = (of: AnnouncementTexts | undefined, field: (typeof audited)[number]): string | null => {
          const value = of?.[field] ?? null;
          return value instanceof Date
            ? wireDateTime(value)
            : Array.isArray(value)
              ? value.join(", ")
              : (value as string | null);
        };
        const changes = audited.flatMap((field) => {
          const [before, after] = [said(row, field), said(texts, field)];
          return before === after || (before === null && after === "") ? [] : [{ field, before, after }];
        });
        const action = row === undefined ? "create" : "update";
        await parts.audit.append(
          installationChain,
          scope,
          [auditOf({ id, title: texts.title }, action, changes)],
          nextId,
        );
        return { id, version: (row?.version ?? 0) + 1 };
      });
    },

    async schedule(scope: TenantScope, { id, version, at }: BodyOf<typeof announcementSchedule>): Promise<void> {
      const atMs = at === undefined ? now() : shanghaiMoment(at);
      if (at !== undefined && !(atMs > now() && atMs < now() + yearMs))
        throw refuse("announcements.time", { field: "at" });
      await inOne(async (parts) => {
        const row = await held(parts, "schedule", { id, version });
        if (row.endTime !== null) requireEnd(row.endTime, atMs);
        await parts.announcements.move(id, "scheduled", new Date(atMs));
        const change = { field: "dueTime", before: null, after: wireDateTime(new Date(atMs)) };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [change])], nextId);
      });
    },

    async unschedule(scope: TenantScope, which: { id: string; version: number }): Promise<void> {
      await inOne(async (parts) => {
        const row = await held(parts, "unschedule", which);
        await parts.announcements.move(row.id, "draft", null);
        const change = {
          field: "dueTime",
          before: row.dueTime === null ? null : wireDateTime(row.dueTime),
          after: null,
        };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [change])], nextId);
      });
    },

    async withdraw(scope: TenantScope, which: { id: string; version: number }): Promise<void> {
      await inOne(async (parts) => {
        const row = await held(parts, "withdraw", which);
        await parts.announcements.move(row.id, "withdrawn");
        await parts.announcements.takeBack(row.id);
        const change = { field: "state", before: row.state, after: "withdrawn" };
        await parts.audit.append(installationChain, scope, [auditOf(row, "update", [change])], nextId);
      });
    },

    async remove(scope: TenantScope, which: { id: string; version: number }): Promise<void> {
      await inOne(async (parts) => {
        const row = await held(parts, "remove", which);
        await parts.announcements.remove(row.id);
        await parts.audit.append(installationChain, scope, [auditOf(row, "remove", [])], nextId);
      });
    },

    /** Ends what is over, then sends and reminds of what is due, a part in each transaction: a server that dies leaves the rest to the next. */
    async send(signal?: AbortSignal): Promise<void> {
      await inOne(({ announcements: held }) => held.expire(new Date(now())));
      for (const some of [sendSome, remindSome]) {
        let more = true;
        while (more && !signal?.aborted) more = await some();
      }
    },
  };
}
export type AnnouncementService = ReturnType<typeof createAnnouncementService>;
