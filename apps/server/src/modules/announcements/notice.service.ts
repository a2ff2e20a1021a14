import { type BodyOf, type noticePage, type noticeSubmit, plainText, type QueryOf } from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDateTime } from "../../http/present.ts";
import { readSomeIds } from "../../ids.ts";
import type { AccountScope, TenantScope } from "../../tenant-scope.ts";
import type { AnnouncementRepository, AnnouncementRow } from "./announcement.repository.ts";
import type { AnnouncementService } from "./announcement.service.ts";

export interface NoticeDependencies {
  announcements: Pick<AnnouncementRepository, "readable" | "messages" | "find">;
  service: Pick<AnnouncementService, "submit" | "schedule" | "unschedule" | "withdraw" | "remove">;
  now: () => number;
  groupTenantId: string;
  /** Something may be due at once. */
  onScheduled(): void;
}

/** What a caller of a notice may do beside reading what reached it. */
interface Rights {
  view: boolean;
  publish: boolean;
}

const dayMs = 86_400_000;
const onDashboard = 10;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};

/** Text of an HTML that an editor of the family made; a paragraph or line break ends a line. */
const textOf = (html: string): string =>
  plainText(
    html
      .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "")
      .replace(/<br\s*\/?>|<\/(p|div|li|h[1-6]|tr)\s*>/gi, "\n")
      .replace(/<[^>]*>/g, "")
      .replace(/&(#39|[a-z]+);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
      .replace(/\n{3,}/g, "\n\n"),
    { lines: true },
  );

/** Paragraphs of a text as HTML. */
const htmlOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `<p>${line.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`)
    .join("");

const boundOf = (text: string | undefined, isEnd: boolean): Date | undefined => {
  if (!text) return undefined;
  const at = shanghaiMoment(text.length === 10 ? `${text} 00:00:00` : text);
  if (Number.isNaN(at)) throw refuse("row.condition_value", { values: { name: "releaseTime" } });
  return new Date(at + (isEnd ? (text.length === 10 ? dayMs : 1000) : 0));
};

/** Announcements as clients of the family read and write them (wire.md 3.12). */
export function createNoticeService({ announcements, service, now, groupTenantId, onScheduled }: NoticeDependencies) {
  const view = (row: AnnouncementRow) => ({
    id: row.id,
    tenantId: groupTenantId,
    title: row.title,
    category: row.category,
    categoryName: row.categoryName,
    releaseTime: row.sentTime ?? row.dueTime,
    content: htmlOf(row.content),
    createUser: row.createUser,
    createDept: "",
    createTime: row.createTime,
    updateUser: row.createUser,
    updateTime: row.updateTime,
    status: 1,
    isDeleted: 0,
  });

  const tile = (row: AnnouncementRow) => ({
    id: row.id,
    title: row.title,
    category: row.categoryName,
    releaseTime: row.sentTime ?? row.dueTime,
    updatedAt: row.updateTime,
  });

  const newest = async (reader: AccountScope, unread: boolean) => {
    const { rows } = await announcements.readable(
      reader,
      { now: new Date(now()), unread },
      { offset: 0, limit: onDashboard },
    );
    return rows.map(tile);
  };

  const require = async (id: string): Promise<AnnouncementRow> => {
    const row = await announcements.find(id);
    if (row === undefined) throw refuse("announcements.not_found");
    return row;
  };

  return {
    async page(reader: AccountScope, query: Partial<QueryOf<typeof noticePage>>, rights: Pick<Rights, "view">) {
      const request = pageRequest(query, []);
      const { rows, total } = await announcements.readable(
        reader,
        {
          now: new Date(now()),
          everything: rights.view,
          title: query.title,
          category: query.category_equal ?? query.category,
          from: boundOf(query.releaseTime_datege, false),
          to: boundOf(query.releaseTime_datele, true),
        },
        request,
      );
      return pageOfRows(rows.map(view), total, request);
    },

    async detail(reader: AccountScope, id: string, rights: Pick<Rights, "view">) {
      const { rows } = await announcements.readable(
        reader,
        { now: new Date(now()), everything: rights.view, id },
        { offset: 0, limit: 1 },
      );
      const [row] = rows;
      if (row === undefined) throw refuse("announcements.not_found");
      return view(row);
    },

    /**
     * Keeps a draft; with a time of release it goes out then, or now where that is past.
     * @throws Refusal 400, 403 where it would go out and the caller may not publish, 404, 409 when it went out already
     */
    async submit(scope: TenantScope, body: BodyOf<typeof noticeSubmit>, { publish }: Rights): Promise<void> {
      const at = body.releaseTime ? boundOf(body.releaseTime, false) : undefined;
      if (at !== undefined && !publish)
        throw refuse("permission.missing", { more: { permission: "announcement_publish" } });
      const held = body.id ? await require(body.id) : undefined;
      const { id, version } = await service.submit(scope, {
        ...(held && { id: held.id, version: held.version, titleEn: held.titleEn, contentEn: held.contentEn }),
        title: body.title,
        content: textOf(body.content),
        audience: held?.audience ?? "all",
        ...(held && {
          tenantKinds: held.tenantKinds,
          regionCodes: held.regionCodes,
          farmIds: held.farmIds,
          tenantIds: held.tenantIds,
          roleAliases: held.roleAliases,
          link: held.link,
          ...(held.endTime && { endTime: wireDateTime(held.endTime) }),
        }),
        ...(body.category !== undefined && { category: body.category }),
      });
      if (at === undefined) return;
      const later = at.getTime() > now();
      await service.schedule(scope, { id, version, ...(later && { at: wireDateTime(at) }) });
      if (!later) onScheduled();
    },

    /** Removes drafts; takes back what is scheduled or went out. @throws Refusal 403, 404 */
    async remove(scope: TenantScope, ids: string | undefined, { publish }: Rights): Promise<void> {
      const rows = await Promise.all(readSomeIds(ids).map(require));
      if (!publish && rows.some(({ state }) => state !== "draft"))
        throw refuse("permission.missing", { more: { permission: "announcement_publish" } });
      for (const { id, version, state } of rows) {
        if (state === "scheduled") {
          await service.unschedule(scope, { id, version });
          await service.remove(scope, { id, version: version + 1 });
        } else if (state === "draft") await service.remove(scope, { id, version });
        else await service.withdraw(scope, { id, version });
      }
    },

    activities: async (reader: AccountScope) =>
      (await announcements.messages(reader, onDashboard)).map(({ id, title, category, at }) => ({
        id,
        title,
        category,
        releaseTime: at,
        updatedAt: at,
      })),
    notices: (reader: AccountScope) => newest(reader, false),
    unread: (reader: AccountScope) => newest(reader, true),
  };
}
export type NoticeService = ReturnType<typeof createNoticeService>;
