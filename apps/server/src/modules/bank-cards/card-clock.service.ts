import type { RemittanceFailure } from "@herdwise/contract";
import { cardHours } from "@herdwise/contract/bank-card-rules";
import type { JobQueue } from "../../jobs/queue.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type ClockParts, createRemittances, eachDue } from "../../processes/index.ts";
import type { RemittanceProvider } from "../../providers/remittance/remittance.ts";
import { type BankCardRepository, defaultDue } from "./bank-card.repository.ts";
import type { CardParts, CardProcess } from "./card-process.ts";

export interface CardClockDependencies extends ClockParts<CardParts> {
  cards: BankCardRepository;
  process: CardProcess;
  provider: RemittanceProvider;
  jobs: Pick<JobQueue, "enqueue" | "wake">;
  cipher: PersonalCipher;
  now: () => number;
}

const failureWords: Readonly<Record<Exclude<RemittanceFailure, "tries">, string>> = {
  name_mismatch: "银行说户名与卡号不符。请解绑后绑一张本人（本企业）的卡。",
  not_public: "银行说这张卡不能收款。请换一张卡。",
  no_account: "银行说没有这个卡号。请核对卡号后重新绑定。",
  refused: "银行退回了这笔小额汇款。请换一张卡，或明天再试。",
};

/** What goes on with cards without anybody's call: small amounts at the bank, and changes of the default card. */
export function createCardClock(dependencies: CardClockDependencies) {
  const { cards, process, inOne, cipher, scope, now } = dependencies;
  return {
    remittances: createRemittances({
      ...dependencies,
      hours: cardHours,
      job: "bank-cards.remit-one",
      running: (state, after, cardId) => cards.running(scope, state, after, cardId),
      orderOf: (row) => ({
        id: row.remittanceId,
        accountName: cipher.decrypt(row.holderEncrypted),
        bankName: row.bankName,
        branchName: "",
        bankCode: "",
        bankAccount: cipher.decrypt(row.numberEncrypted),
        amountFen: row.amountFen,
      }),
      step: (row, event, change, standing) =>
        inOne(async (parts) => {
          const held = await parts.cards.find(scope, row.id, true);
          if (held?.state !== row.state || held.remittanceId !== row.remittanceId) return;
          await process.act(parts, {
            by: scope,
            party: event === "expire" ? "clock" : "bank",
            row: held,
            event,
            async take() {
              await parts.cards.learn(scope, row.remittanceId, change);
              return standing?.state === "failed" ? { said: { content: failureWords[standing.failure] } } : {};
            },
          });
        }),
      recount: ({ remittanceId }, arrivals) => cards.learn(scope, remittanceId, { arrivals }),
    }),

    /** Changes the default card where its time has come and nobody stopped it. */
    applyDefaults: (signal: AbortSignal): Promise<void> =>
      eachDue(
        dependencies,
        defaultDue(new Date(now())),
        (parts, id) =>
          process.act(parts, {
            by: scope,
            party: "clock",
            row: id,
            event: "apply_default",
            async take(row) {
              await parts.cards.clearDefault(scope, row.tenantId);
              return { change: { isDefault: true, defaultAt: null } };
            },
          }),
        signal,
      ),
  };
}
