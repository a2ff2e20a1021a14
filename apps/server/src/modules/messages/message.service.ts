import type { MessageKind } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { readIds } from "../../ids.ts";
import type { AccountScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "./message.repository.ts";

type PageQuery = Parameters<typeof pageRequest>[0] & { kind?: MessageKind | undefined; status?: number | undefined };

/** Comma-separated ids of messages, and of messages of which each stands for its group. */
interface NamedByCaller {
  ids?: string | undefined;
  groups?: string | undefined;
}

/** Messages inside the portal. Everything is limited to one account. */
export function createMessageService(repository: MessageRepository, nextId: () => string) {
  return {
    /**
     * Leaves a message. Title and content are keys of the translations.
     * @param link path in the portal that it leads to
     */
    send: (to: AccountScope, kind: MessageKind, title: string, content: string, link = ""): Promise<void> =>
      repository.insert(to, { id: nextId(), kind, title, content, link }),

    async page(owner: AccountScope, query: PageQuery) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(owner, query, request);
      return pageOfRows(rows, total, request);
    },

    async groups(owner: AccountScope, query: PageQuery) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.groups(owner, query, request);
      return pageOfRows(rows, total, request);
    },

    async detail(owner: AccountScope, id: string) {
      const message = await repository.find(owner, id);
      if (message === undefined) throw refuse("messages.not_found");
      const [deliveries, course] = await Promise.all([
        repository.deliveries(owner, id),
        repository.course(owner, message),
      ]);
      return { ...message, deliveries, course };
    },

    counts: (owner: AccountScope) => repository.counts(owner),

    /** All messages where none are named. */
    async setStatus(owner: AccountScope, { ids, groups }: NamedByCaller, status: number): Promise<void> {
      const which = { ids: readIds(ids), groups: readIds(groups) };
      const none = which.ids.length + which.groups.length === 0;
      await repository.setRead(owner, none ? undefined : which, status === 1);
    },

    async remove(owner: AccountScope, { ids, groups }: NamedByCaller): Promise<void> {
      const which = { ids: readIds(ids), groups: readIds(groups) };
      if (which.ids.length + which.groups.length === 0) throw refuse("rows.none_chosen");
      await repository.remove(owner, which);
    },

    unread: async (owner: AccountScope): Promise<number[]> => [await repository.unread(owner)],
  };
}
export type MessageService = ReturnType<typeof createMessageService>;
