import type { MessageKind } from "@herdwise/contract";
import { rejected } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Session } from "../../http/session.ts";
import type { MessageRepository } from "./message.repository.ts";

const idsOf = (text: string | undefined): string[] => {
  const ids = (text ?? "").split(",").filter((id) => id !== "");
  if (ids.length > 500 || ids.some((id) => !/^\d{1,19}$/.test(id))) throw rejected("messages.ids", "参数校验失败");
  return ids;
};

/** Messages inside the portal. Everything is limited to the session's own account. */
export function createMessageService(repository: MessageRepository, nextId: () => string) {
  return {
    /** Leaves a message. Title and content are keys of the translations. */
    send: (accountId: string, kind: MessageKind, title: string, content: string): Promise<void> =>
      repository.insert({ id: nextId(), accountId, kind, title, content }),

    async page(
      session: Session,
      query: Parameters<typeof pageRequest>[0] & { kind?: MessageKind | undefined; status?: number | undefined },
    ) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(session.accountId, query, request);
      return pageOfRows(rows, total, request);
    },

    /** @param ids comma-separated; all messages when it is empty */
    async setStatus(session: Session, ids: string | undefined, status: number): Promise<void> {
      const named = idsOf(ids);
      await repository.setRead(session.accountId, named.length === 0 ? undefined : named, status === 1);
    },

    async remove(session: Session, ids: string | undefined): Promise<void> {
      const named = idsOf(ids);
      if (named.length === 0) throw rejected("messages.none", "请至少选择一条数据");
      await repository.remove(session.accountId, named);
    },

    unread: async (session: Session): Promise<number[]> => [await repository.unread(session.accountId)],
  };
}
export type MessageService = ReturnType<typeof createMessageService>;
