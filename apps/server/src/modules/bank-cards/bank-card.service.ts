import { randomInt } from "node:crypto";
import { type BodyOf, type bankCardBind, type bankCardDeskPage, plainText, type QueryOf } from "@herdwise/contract";
import {
  type BankCardEvent,
  cardAmountFen,
  cardBankOf,
  cardDigits,
  cardHoldHours,
  cardHours,
  cardRemittancesPerDay,
  cardsPerTenant,
  cardTries,
  isCardNumber,
} from "@herdwise/contract/bank-card-rules";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import { phoneOf, type VerificationService } from "../verification/index.ts";
import type { BankCardRepository, BankCardRow, CardChange } from "./bank-card.repository.ts";
import { type CardParts, type CardProcess, cardScreen, contentOf } from "./card-process.ts";

export interface BankCardDependencies {
  cards: BankCardRepository;
  process: CardProcess;
  inOne: <T>(work: (parts: CardParts) => Promise<T>) => Promise<T>;
  cipher: PersonalCipher;
  verification: Pick<VerificationService, "send" | "prove">;
  nextId: () => string;
  now: () => number;
  sandbox: boolean;
  record: RecordEvent;
  /** The name of the authentication in force; undefined without one. */
  provenNameOf: (owner: MemberScope) => Promise<string | undefined>;
  /** Everybody of a customer who looks after its cards. */
  keepersOf: (tenant: string) => Promise<readonly string[]>;
  /** An amount was ordered; called after the commit. */
  onOrdered: (cardId: string) => void;
}

const hourMs = 3_600_000;

/** Cards that a customer is paid to. */
export function createBankCardService(dependencies: BankCardDependencies) {
  const { cards, process, inOne, cipher, nextId, now, record, keepersOf } = dependencies;
  const open = (encrypted: string) => (encrypted === "" ? "" : cipher.decrypt(encrypted));

  const view = (row: BankCardRow) => ({
    id: row.id,
    state: row.state,
    bankName: row.bankName,
    holder: open(row.holderEncrypted),
    lastFour: row.lastFour,
    phone: open(row.phoneEncrypted),
    failure: row.state === "failed" ? row.failure : "",
    sandbox: row.sandbox,
    sandboxFen: row.sandbox && row.state === "arrived" ? row.amountFen : 0,
    triesLeft: Math.max(0, cardTries - row.tries),
    isDefault: row.isDefault,
    defaultTime: row.defaultAt,
    createTime: row.createdAt,
    expireTime: row.expiresAt,
  });
  const shown = async (scope: TenantScope, id: string, from = cards) => {
    const row = await from.find(scope, id);
    if (row === undefined) throw refuse("bank_card.not_found");
    return view(row);
  };
  /** A step that waits for others of the same customer's cards, so that limits hold. */
  const step = (
    scope: TenantScope,
    id: string,
    event: BankCardEvent,
    take?: (parts: CardParts) => Promise<{ change: CardChange; said?: { title: string; content: string } } | undefined>,
  ) =>
    inOne(async (parts) => {
      await parts.cards.lockTenant(scope);
      return process.act(parts, { by: scope, party: "owner", row: id, event, take: () => take?.(parts) });
    });
  /** @throws {Refusal} when the small amounts of a day are spent */
  const order = async (parts: CardParts, scope: TenantScope, cardId: string): Promise<undefined> => {
    if ((await parts.cards.ordersOfDay(scope)) >= cardRemittancesPerDay) throw refuse("bank_card.sends_spent");
    await parts.cards.order(scope, {
      id: nextId(),
      cardId,
      amountFen: randomInt(cardAmountFen.min, cardAmountFen.max + 1),
      sandbox: dependencies.sandbox,
      expiresAt: new Date(now() + cardHours * hourMs),
    });
  };

  return {
    async list(scope: TenantScope) {
      const [rows, orders, holder] = await Promise.all([
        cards.list(scope),
        cards.ordersOfDay(scope),
        dependencies.provenNameOf(scope),
      ]);
      return { holder: holder ?? "", cards: rows.map(view), sendsLeft: Math.max(0, cardRemittancesPerDay - orders) };
    },

    sendCode: (phone: string, remoteAddress: string) =>
      dependencies.verification.send(phone, ["bank-card"], remoteAddress),

    async bind(scope: TenantScope, given: BodyOf<typeof bankCardBind>, caller: EventCaller) {
      const holder = await dependencies.provenNameOf(scope);
      if (holder === undefined) throw refuse("bank_card.no_name");
      const number = cardDigits(given.number);
      if (!isCardNumber(number)) throw refuse("bank_card.number", { field: "number" });
      const { bank, credit } = cardBankOf(number);
      if (credit) throw refuse("bank_card.credit", { field: "number" });
      const bankName = bank || plainText((given.bankName ?? "").normalize("NFKC"));
      if ([...bankName].length < 2) throw refuse("bank_card.bank", { field: "bankName" });
      const phone = phoneOf(given.phone);
      const code = await dependencies.verification.prove({ phone, id: given.codeId, code: given.code }, "bank-card");
      const id = nextId();
      const lastFour = number.slice(-4);
      try {
        await inOne(async (parts) => {
          await parts.cards.lockTenant(scope);
          if ((await parts.cards.list(scope)).length >= cardsPerTenant)
            throw refuse("bank_card.too_many", { values: { count: cardsPerTenant } });
          if (await parts.cards.isBound(scope, cipher.indexes(number)))
            throw refuse("bank_card.bound", { field: "number" });
          await parts.cards.insert(scope, {
            id,
            bankName,
            numberEncrypted: cipher.encrypt(number),
            numberIndex: cipher.index(number),
            holderEncrypted: cipher.encrypt(holder),
            phoneEncrypted: cipher.encrypt(phone),
            lastFour,
          });
          await order(parts, scope, id);
          await parts.tell({
            to: await keepersOf(scope.tenantId),
            title: "绑了一张银行卡",
            content: contentOf({ bankName, lastFour }),
            link: cardScreen,
          });
          const bound = { id, tenantId: scope.tenantId, title: lastFour };
          await process.audit(parts, scope, bound, { event: "bind", before: null, after: "ordered" });
        });
      } catch (error) {
        await code.giveBack();
        throw error;
      }
      await record(scope.accountId, "card_bound", { detail: lastFour, caller });
      dependencies.onOrdered(id);
      return shown(scope, id);
    },

    async confirm(scope: TenantScope, id: string, amountFen: number, caller: EventCaller) {
      const leftOf = (row: BankCardRow) => cardTries - row.tries - 1;
      const { row, event } = await inOne((parts) =>
        process.act(parts, {
          by: scope,
          party: "owner",
          row: id,
          event: (card) => (amountFen === card.amountFen ? "confirm" : leftOf(card) > 0 ? "mistype" : "spend_tries"),
          async take(card) {
            if (card.expiresAt.getTime() <= now()) throw refuse("bank_card.state");
            if (amountFen === card.amountFen) return undefined;
            const failure = leftOf(card) <= 0 ? { failure: "tries" } : {};
            await parts.cards.learn(scope, card.remittanceId, { tries: card.tries + 1, ...failure });
            return undefined;
          },
        }),
      );
      // The try is counted whatever is answered: a refusal in the step would take it back.
      if (event === "spend_tries") throw refuse("bank_card.tries_spent");
      if (event === "mistype") throw refuse("bank_card.amount", { field: "amountFen", values: { left: leftOf(row) } });
      await record(scope.accountId, "card_verified", { caller });
      return shown(scope, id);
    },

    async remitAgain(scope: TenantScope, id: string) {
      await step(scope, id, "remit_again", (parts) => order(parts, scope, id));
      dependencies.onOrdered(id);
      return shown(scope, id);
    },

    async makeDefault(scope: TenantScope, id: string, caller: EventCaller) {
      const { row } = await step(scope, id, "make_default", async (parts) => {
        // Without a default for less than the hold nobody had the time to notice: the next one waits all the same.
        const waits = await parts.cards.hadDefault(scope, scope.tenantId, cardHoldHours);
        // Only one waits: the newest wish counts.
        await parts.cards.clearWaiting(scope, scope.tenantId);
        if (!waits) return { change: { isDefault: true } };
        return {
          change: { defaultAt: new Date(now() + cardHoldHours * hourMs) },
          said: {
            title: "有人要更换默认收款卡",
            content: "24 小时后生效。如果不是您或同事的操作，请在安全设置里停止更换，并修改密码。",
          },
        };
      });
      await record(scope.accountId, "card_default", { detail: row.lastFour, caller });
      return shown(scope, id);
    },

    async keepDefault(scope: TenantScope, id: string) {
      await step(scope, id, "keep_default", async () => ({ change: { defaultAt: null } }));
      return shown(scope, id);
    },

    async unbind(scope: TenantScope, id: string, caller: EventCaller) {
      const { row } = await step(scope, id, "unbind");
      await record(scope.accountId, "card_unbound", { detail: row.lastFour, caller });
      return shown(scope, id);
    },

    async page(scope: TenantScope, query: QueryOf<typeof bankCardDeskPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await cards.page(scope, query, request);
      return pageOfRows(
        rows.map((row) => ({ ...view(row), tenantId: row.tenantId, customer: row.customer, arrivals: row.arrivals })),
        total,
        request,
      );
    },

    /** A number in full; the trail says who looked, and why, and whoever bound the card sees it. */
    async reveal(scope: TenantScope, id: string, reason: string) {
      const held = await inOne(async (parts) => {
        const row = await parts.cards.find(scope, id);
        if (row === undefined || row.numberEncrypted === "") throw refuse("bank_card.not_found");
        await parts.audit.append(
          row.tenantId,
          scope,
          [
            {
              resource: "bank_card",
              rowId: id,
              rowTitle: row.lastFour,
              action: "view",
              changes: [
                { field: "number", before: null, after: "shown" },
                { field: "reason", before: null, after: reason },
              ],
            },
          ],
          nextId,
        );
        return row;
      });
      if (held.createdBy !== null) await record(held.createdBy, "data_shown", { detail: "bankCard" });
      return { value: cipher.decrypt(held.numberEncrypted) };
    },
  };
}
