import {
  type AnnouncementEvent,
  type announcementPage,
  type announcementReach,
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
import { wireDateTime } from "../../http/present.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import type { AnnouncementRepository, AnnouncementRow, AnnouncementTexts, Target } from "./announcement.repository.ts";

interface AnnouncementParts {
  announcements: AnnouncementRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface AnnouncementDependencies {
  announcements: AnnouncementRepository;
  inOne<T>(work: (parts: AnnouncementParts) => Promise<T>): Promise<T>;
  nextId: () => string;
  now: () => number;
}

const yearMs = 366 * 86_400_000;
/** People who get it in one transaction. */
const together = 1000;
/** One slash, then anything that stays inside the portal. */
const insideForm = /^\/(?![/\\])[^\s\\]*$/;
const lengthOf = (text: string): number => [...text].length;

/** What the group tells many: written, scheduled, sent to each once, taken back. */
export function createAnnouncementService({ announcements, inOne, nextId, now }: AnnouncementDependencies) {
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

  const targetOf = async ({
    audience,
    farmIds = [],
    roleAliases = [],
  }: BodyOf<typeof announcementReach>): Promise<Target & { farmIds: string[]; roleAliases: string[] }> => {
    const farms = audience === "farms" ? [...new Set(farmIds)] : [];
    const roles = audience === "roles" ? [...new Set(roleAliases)] : [];
    if (audience === "farms" && (farms.length === 0 || (await announcements.knownFarms(farms)) !== farms.length))
      throw refuse("announcements.farms", { field: "farmIds" });
    if (audience === "roles" && (roles.length === 0 || (await announcements.knownRoles(roles)) !== roles.length))
      throw refuse("announcements.roles", { field: "roleAliases" });
    return { audience, farmIds: farms, roleAliases: roles };
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
    return {
      title,
      content,
      titleEn,
      contentEn,
      link,
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

  return {
    async page({ state, ...query }: QueryOf<typeof announcementPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await announcements.page(state, request);
      return pageOfRows(rows, total, request);
    },

    farms: (keyword: string | undefined) => announcements.farms(keyword?.trim(), announcementTargets),

    async reach(body: BodyOf<typeof announcementReach>): Promise<{ receivers: number }> {
      return { receivers: await announcements.reach(await targetOf(body)) };
    },

    async submit(scope: TenantScope, body: BodyOf<typeof announcementSubmit>) {
      const texts = await textsOf(body);
      return inOne(async (parts) => {
        const row =
          body.id === undefined ? undefined : await held(parts, "edit", { id: body.id, version: body.version });
        const id = row?.id ?? nextId();
        if (row === undefined) await parts.announcements.insert(id, scope.accountId, texts);
        else await parts.announcements.change(id, texts);
        const changes = (["title", "content", "audience"] as const).flatMap((field) =>
          row?.[field] === texts[field] ? [] : [{ field, before: row?.[field] ?? null, after: texts[field] }],
        );
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

    /** Sends what is due, a part in each transaction: a server that dies leaves the rest to the next. */
    async send(signal?: AbortSignal): Promise<void> {
      let more = true;
      while (more && !signal?.aborted) more = await sendSome();
    },
  };
}
export type AnnouncementService = ReturnType<typeof createAnnouncementService>;
