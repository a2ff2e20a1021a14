import type { MessageKind } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { readIds, readSomeIds } from "../../ids.ts";
import type { AccountScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "./message.repository.ts";

/** Messages inside the portal. Everything is limited to one account. */
export function createMessageService(repository: MessageRepository, nextId: () => string) {
  return {
    /**
     * Leaves a message. Title and content are keys of the translations.
     * @param link path in the portal that it leads to
     */
    send: (to: AccountScope, kind: MessageKind, title: string, content: string, link = ""): Promise<void> =>
      repository.insert(to, { id: nextId(), kind, title, content, link }),

    async page(
      owner: AccountScope,
      query: Parameters<typeof pageRequest>[0] & { kind?: MessageKind | undefined; status?: number | undefined },
    ) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(owner, query, request);
      return pageOfRows(rows, total, request);
    },

    async detail(owner: AccountScope, id: string) {
      const message = await repository.find(owner, id);
      if (message === undefined) throw refuse("messages.not_found");
      return { ...message, deliveries: await repository.deliveries(owner, id) };
    },

    counts: (owner: AccountScope) => repository.counts(owner),

    /** @param ids comma-separated; all messages when it is empty */
    async setStatus(owner: AccountScope, ids: string | undefined, status: number): Promise<void> {
      const named = readIds(ids);
      await repository.setRead(owner, named.length === 0 ? undefined : named, status === 1);
    },

    async remove(owner: AccountScope, ids: string | undefined): Promise<void> {
      const named = readSomeIds(ids);
      await repository.remove(owner, named);
    },

    unread: async (owner: AccountScope): Promise<number[]> => [await repository.unread(owner)],
  };
}
export type MessageService = ReturnType<typeof createMessageService>;
