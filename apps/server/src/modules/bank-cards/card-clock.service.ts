import type { RemittanceFailure } from "@herdwise/contract";
import { cardHours } from "@herdwise/contract/bank-card-rules";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { RemittanceOrder, RemittanceProvider, RemittanceStanding } from "../../providers/remittance/remittance.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import type { BankCardRepository, BankCardRow } from "./bank-card.repository.ts";
import type { CardParts, CardProcess } from "./card-process.ts";

export interface CardClockDependencies {
  cards: BankCardRepository;
  process: CardProcess;
  inOne: <T>(work: (parts: CardParts) => Promise<T>) => Promise<T>;
  provider: RemittanceProvider;
  cipher: PersonalCipher;
  scope: SystemScope;
  now: () => number;
  /** The bank could not be asked; it is asked again at the next run. */
  onFault: (error: unknown) => void;
}

const hourMs = 3_600_000;
const failureWords: Readonly<Record<Exclude<RemittanceFailure, "tries">, string>> = {
  name_mismatch: "银行说户名与卡号不符。请解绑后绑一张本人（本企业）的卡。",
  not_public: "银行说这张卡不能收款。请换一张卡。",
  no_account: "银行说没有这个卡号。请核对卡号后重新绑定。",
  refused: "银行退回了这笔小额汇款。请换一张卡，或明天再试。",
};

/** What goes on with cards without anybody's call: small amounts at the bank, and changes of the default card. */
export function createCardClock(dependencies: CardClockDependencies) {
  const { cards, process, inOne, provider, cipher, scope, now, onFault } = dependencies;

  const orderOf = (row: BankCardRow): RemittanceOrder => ({
    id: row.remittanceId,
    accountName: cipher.decrypt(row.holderEncrypted),
    bankName: row.bankName,
    branchName: "",
    bankCode: "",
    bankAccount: cipher.decrypt(row.numberEncrypted),
    amountFen: row.amountFen,
  });

  /** Takes a step if the card is still where it was; what is known already does nothing. */
  const note = (row: BankCardRow, work: (parts: CardParts, held: BankCardRow) => Promise<unknown>): Promise<void> =>
    inOne(async (parts) => {
      const held = await parts.cards.find(scope, row.id, true);
      if (held?.state === row.state && held.remittanceId === row.remittanceId) await work(parts, held);
    });
  const byClock = { by: scope, party: "clock" } as const;

  /** Takes a step of the bank. @param keep writes what the bank said @param content of the message, where the declaration has none */
  const learnt = (
    row: BankCardRow,
    event: "send" | "arrive" | "fail",
    keep: (held: BankCardRepository) => Promise<void>,
    content?: string,
  ): Promise<void> =>
    note(row, (parts, held) =>
      process.act(parts, {
        by: scope,
        party: "bank",
        row: held,
        event,
        async take() {
          await keep(parts.cards);
          return content === undefined ? {} : { said: { content } };
        },
      }),
    );

  const learn = (row: BankCardRow, standing: RemittanceStanding): Promise<void> | undefined => {
    const { remittanceId } = row;
    if (standing.state === "sent" && row.state === "ordered")
      return learnt(row, "send", (held) => held.sent(scope, remittanceId, standing.reference));
    if (standing.state === "arrived" && row.state === "arrived")
      return standing.arrivals <= row.arrivals
        ? undefined
        : note(row, (parts) => parts.cards.arrived(scope, remittanceId, { ...standing, expiresAt: null }));
    if (standing.state === "arrived")
      return learnt(row, "arrive", (held) =>
        held.arrived(scope, remittanceId, { ...standing, expiresAt: new Date(now() + cardHours * hourMs) }),
      );
    if (standing.state === "failed" && row.state !== "arrived")
      return learnt(
        row,
        "fail",
        (held) => held.failed(scope, remittanceId, standing.failure),
        failureWords[standing.failure],
      );
    return undefined;
  };

  /** Brings one on by a step. No transaction is open while the bank is asked. */
  const step = async (row: BankCardRow): Promise<void> => {
    if (row.expiresAt.getTime() < now())
      return note(row, (parts, held) => process.act(parts, { ...byClock, row: held, event: "expire" }));
    try {
      const order = orderOf(row);
      // The same order again is the same amount: after a fault it is simply handed over once more.
      if (row.state === "ordered") await learn(row, await provider.send(order));
      else if (row.sentAt !== null) await learn(row, await provider.standing({ ...order, sentAt: row.sentAt }));
    } catch (error) {
      onFault(error);
    }
  };

  return {
    /** Brings all that run on, or one of them. @returns how many still wait for the bank */
    async remit(signal: AbortSignal, cardId?: string): Promise<number> {
      for (const row of await cards.running(scope, cardId)) {
        if (signal.aborted) break;
        await step(row);
      }
      return (await cards.running(scope, cardId)).filter(({ state }) => state !== "arrived").length;
    },

    /** Changes the default card where its time has come and nobody stopped it. */
    async applyDefaults(): Promise<void> {
      for (const row of await cards.dueDefaults(scope, new Date(now())))
        await inOne(async (parts) => {
          const held = await parts.cards.find(scope, row.id, true);
          if (held?.defaultAt == null || held.defaultAt.getTime() > now()) return;
          await parts.cards.clearDefault(scope, held.tenantId);
          await process.act(parts, {
            ...byClock,
            row: held,
            event: "apply_default",
            take: () => ({ change: { isDefault: true, defaultAt: null } }),
          });
        });
    },
  };
}
