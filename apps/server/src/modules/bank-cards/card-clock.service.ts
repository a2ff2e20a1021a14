import type { RemittanceFailure } from "@herdwise/contract";
import { cardHours } from "@herdwise/contract/bank-card-rules";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { RemittanceOrder, RemittanceProvider, RemittanceStanding } from "../../providers/remittance/remittance.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import type { BankCardRepository, BankCardRow } from "./bank-card.repository.ts";
import { act, type CardParts } from "./bank-card.service.ts";

export interface CardClockDependencies {
  cards: BankCardRepository;
  inOne: <T>(work: (parts: CardParts) => Promise<T>) => Promise<T>;
  provider: RemittanceProvider;
  cipher: PersonalCipher;
  scope: SystemScope;
  nextId: () => string;
  now: () => number;
  keepersOf: (tenant: string) => Promise<readonly string[]>;
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
  const { cards, inOne, provider, cipher, scope, nextId, now, keepersOf, onFault } = dependencies;

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
  const note = (
    row: BankCardRow,
    work: (parts: CardParts, held: BankCardRow) => Promise<{ title: string; content: string } | undefined>,
  ): Promise<void> =>
    inOne(async (parts) => {
      const held = await parts.cards.find(scope, row.id, true);
      if (held === undefined || held.state !== row.state || held.remittanceId !== row.remittanceId) return;
      const words = await work(parts, held);
      if (words === undefined) return;
      for (const accountId of await keepersOf(held.tenantId)) await parts.tell(accountId, words.title, words.content);
    });

  const learn = (row: BankCardRow, standing: RemittanceStanding): Promise<void> | undefined => {
    if (standing.state === "sent" && row.state === "ordered")
      return note(row, async (parts, held) => {
        await act(parts, scope, held, "send", { party: "bank", nextId });
        await parts.cards.sent(scope, held.remittanceId, standing.reference);
        return undefined;
      });
    if (standing.state === "arrived" && row.state === "arrived")
      return standing.arrivals <= row.arrivals
        ? undefined
        : note(row, async (parts, held) => {
            await parts.cards.arrived(scope, held.remittanceId, { ...standing, expiresAt: null });
            return undefined;
          });
    if (standing.state === "arrived")
      return note(row, async (parts, held) => {
        await act(parts, scope, held, "arrive", { party: "bank", nextId });
        await parts.cards.arrived(scope, held.remittanceId, {
          ...standing,
          expiresAt: new Date(now() + cardHours * hourMs),
        });
        return {
          title: "小额汇款到账了",
          content: "请查看银行的到账短信或流水，72 小时内在安全设置里填收到的金额。",
        };
      });
    if (standing.state === "failed" && row.state !== "arrived")
      return note(row, async (parts, held) => {
        await act(parts, scope, held, "fail", { party: "bank", nextId });
        await parts.cards.failed(scope, held.remittanceId, standing.failure);
        return { title: "银行卡没有通过验证", content: failureWords[standing.failure] };
      });
    return undefined;
  };

  /** Brings one on by a step. No transaction is open while the bank is asked. */
  const step = async (row: BankCardRow): Promise<void> => {
    if (row.expiresAt.getTime() < now())
      return note(row, async (parts, held) => {
        await act(parts, scope, held, "expire", { party: "clock", nextId });
        return { title: "银行卡的验证过期了", content: "72 小时内没有填收到的金额。在安全设置里可以重新汇一次。" };
      });
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
          await act(
            parts,
            scope,
            held,
            "apply_default",
            { party: "clock", nextId },
            { isDefault: true, defaultAt: null },
          );
          for (const accountId of await keepersOf(held.tenantId))
            await parts.tell(accountId, "默认收款卡已更换", `${held.bankName} · ${held.lastFour}`);
        });
    },
  };
}
