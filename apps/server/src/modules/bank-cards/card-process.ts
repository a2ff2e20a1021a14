import { bankCardProcess } from "@herdwise/contract/bank-card-rules";
import { refuse } from "../../http/errors.ts";
import { createProcess, type DueRepository, type StepParts } from "../../processes/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import type { BankCardRepository, BankCardRow, CardChange } from "./bank-card.repository.ts";

/** What one transaction of a card works with. */
export interface CardParts extends StepParts {
  due: DueRepository;
  cards: BankCardRepository;
}

/** Where messages about cards lead. */
export const cardScreen = "/selfCenter/safeManage";
/** What a message about a card says beside its title. */
export const contentOf = ({ bankName, lastFour }: Pick<BankCardRow, "bankName" | "lastFour">): string =>
  `${bankName} · ${lastFour}`;

/** The steps of cards. @param keepersOf everybody of a customer who looks after its cards */
export const createCardProcess = ({
  keepersOf,
  nextId,
}: {
  keepersOf: (tenantId: string) => Promise<readonly string[]>;
  nextId: () => string;
}) =>
  createProcess(bankCardProcess, {
    find: (parts: CardParts, by: TenantScope | SystemScope, id: string) => parts.cards.find(by, id, true),
    // Of a card that is unbound nobody knows.
    visible: (row: BankCardRow) => row.state !== "unbound",
    // Never a number.
    title: (row) => row.lastFour,
    content: contentOf,
    guards: {
      make_default: (row) => (row.isDefault || row.defaultAt !== null ? refuse("bank_card.is_default") : undefined),
      keep_default: (row) => (row.defaultAt === null ? refuse("bank_card.nothing_waits") : undefined),
      unbind: async (row, look: Pick<CardParts, "cards">, by) =>
        row.isDefault && (await look.cards.hasWaiting(by, row.tenantId))
          ? refuse("bank_card.successor_waits")
          : undefined,
    },
    move: (parts, { by, row, state }, change: CardChange | undefined) => parts.cards.move(by, row.id, state, change),
    receivers: { keepers: { of: ({ tenantId }) => keepersOf(tenantId), link: () => cardScreen } },
    nextId,
  });
export type CardProcess = ReturnType<typeof createCardProcess>;
