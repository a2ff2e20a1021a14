import type { MessageKind } from "@herdwise/contract";
import type { MessageRepository } from "../modules/messages/index.ts";
import { accountScope, type SystemScope } from "../tenant-scope.ts";

/** What several people are told alike. */
export interface Message {
  /** Accounts; null for one that is gone. */
  readonly to: readonly (string | null)[];
  readonly title: string;
  readonly content: string;
  /** Path in the portal; "" for none. */
  readonly link: string;
}
export type Tell = (message: Message) => Promise<void>;

/** Leaves messages of one kind, each person's once. @param scope why people are told, whoever did it */
export const tellBy =
  (
    messages: Pick<MessageRepository, "insert">,
    { scope, kind, nextId }: { scope: SystemScope; kind: MessageKind; nextId: () => string },
  ): Tell =>
  async ({ to, ...message }) => {
    for (const accountId of new Set(to))
      if (accountId !== null) await messages.insert(accountScope(scope, accountId), { id: nextId(), kind, ...message });
  };
